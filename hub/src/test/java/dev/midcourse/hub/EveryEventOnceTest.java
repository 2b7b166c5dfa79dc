package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.ledger.json.JsonCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guarantee 11, with two hundred event clients and a hub that is killed while it sends to them. */
@Tag("slow")
class EveryEventOnceTest {
  private static final int LISTENERS = 200;

  @TempDir Path temp;

  /** Seen to fail when Last-Event-ID is not read. */
  @Test
  void t39_two_hundred_listeners_get_every_event_once_although_the_hub_is_killed()
      throws Exception {
    Path data = temp.resolve("data");
    List<Listener> listeners = new ArrayList<>();
    HubProcess hub = HubProcess.start(data, "--port", "0").up();
    try {
      int port = java.net.URI.create(hub.url()).getPort();
      Path token = data.resolve("token");
      IntStream.range(0, LISTENERS).forEach(_ -> listeners.add(new Listener(port, token)));
      for (String run : List.of("a", "b")) {
        // The agent writes much, is silent while the hub dies, and writes much again.
        String prompt = JsonCodec.write("! flood 300\n$ sleep 2\n! flood 300\n$ echo done");
        hub.client().post("/api/v1/runs", "{\"run_id\":\"" + run + "\",\"prompt\":" + prompt + "}");
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> listeners.stream().anyMatch(listener -> listener.count() > 200));
      hub.kill();
      hub = HubProcess.start(data, "--port", "" + port).up();
      for (String run : List.of("a", "b")) {
        assertThat(hub.client().get("/api/v1/runs/" + run + "?wait=end&timeout=60s").text("state"))
            .isEqualTo("done");
      }
      long newest = newest(hub);
      List<Long> all = LongStream.rangeClosed(1, newest).boxed().toList();
      assertThat(all).hasSizeGreaterThan(1200);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> listeners.stream().allMatch(listener -> listener.last() >= newest));
      for (Listener listener : listeners) {
        assertThat(listener.received()).isEqualTo(all);
      }
      assertThat(listeners).allMatch(listener -> listener.connected() >= 2);
    } finally {
      listeners.forEach(Listener::stop);
      for (String run : List.of("a", "b")) {
        hub.client().post("/api/v1/runs/" + run + "/stop", "{\"wait\":true}");
      }
      hub.close();
    }
  }

  private static long newest(HubProcess hub) {
    return hub.client()
        .get("/api/v1/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("midcourse_log_cursor "))
        .mapToLong(line -> (long) Double.parseDouble(line.split(" ", 2)[1]))
        .findFirst()
        .orElseThrow();
  }

  /** A client that reconnects with the last id that it received whenever the stream breaks. */
  private static final class Listener {
    private final int port;

    /** Its file: the next hub has another one. */
    private final Path token;

    private final List<Long> received = new ArrayList<>();
    private final Thread thread;
    private volatile boolean going = true;
    private int connected;

    Listener(int port, Path token) {
      this.port = port;
      this.token = token;
      this.thread = Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
      while (going) {
        try (Socket socket = new Socket()) {
          socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
          String request =
              "GET /api/v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                  + Files.readString(token).strip()
                  + "\r\n"
                  + (last() == 0 ? "" : "Last-Event-ID: " + last() + "\r\n")
                  + "\r\n";
          socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
          read(socket);
        } catch (IOException broken) {
          pause();
        }
      }
    }

    /** Reads events. A data line is an event only after the empty line that follows it. */
    private void read(Socket socket) throws IOException {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      long id = 0;
      boolean data = false;
      for (String line = lines.readLine(); line != null && going; line = lines.readLine()) {
        if (line.startsWith("HTTP/1.1 200")) {
          note(0);
        } else if (line.startsWith("id: ")) {
          id = Long.parseLong(line.substring(4));
        } else if (line.startsWith("data: ")) {
          data = true;
        } else if (line.isEmpty() && data) {
          note(id);
          data = false;
        }
      }
    }

    private synchronized void note(long id) {
      if (id == 0) {
        connected++;
      } else {
        received.add(id);
      }
    }

    private void pause() {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        going = false;
      }
    }

    synchronized int connected() {
      return connected;
    }

    synchronized int count() {
      return received.size();
    }

    synchronized long last() {
      return received.isEmpty() ? 0 : received.getLast();
    }

    synchronized List<Long> received() {
      return List.copyOf(received);
    }

    void stop() {
      going = false;
      thread.interrupt();
    }
  }
}
