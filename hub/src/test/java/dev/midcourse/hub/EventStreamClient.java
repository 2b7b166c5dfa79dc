package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.ledger.json.JsonCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * A client of a hub's event stream over TCP that keeps the events. It reads from a plain socket, so
 * that it can be closed while it waits for the next event. The frames of the chunks are between the
 * lines of the events and are skipped.
 */
final class EventStreamClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int SMALL = 4096;

  private final Socket socket;
  private final CountDownLatch open = new CountDownLatch(1);

  /** Guarded by itself. */
  private final List<JsonNode> events = new ArrayList<>();

  private final Thread reader = Thread.ofPlatform().daemon().unstarted(this::read);

  private EventStreamClient(Socket socket) {
    this.socket = socket;
  }

  static EventStreamClient to(String url, String token, String... lastEventId) {
    EventStreamClient listening = asleep(url, token, lastEventId);
    listening.wake();
    return listening;
  }

  /** Opens a client that has sent its request and reads nothing until it is woken. */
  static EventStreamClient asleep(String url, String token, String... lastEventId) {
    URI at = URI.create(url);
    StringBuilder request = new StringBuilder("GET ");
    request.append(at.getRawPath()).append(at.getRawQuery() == null ? "" : "?" + at.getRawQuery());
    request.append(" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ").append(token);
    for (String id : lastEventId) {
      request.append("\r\nLast-Event-ID: ").append(id);
    }
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(SMALL);
      socket.connect(new InetSocketAddress(at.getHost(), at.getPort()));
      socket.getOutputStream().write(request.append("\r\n\r\n").toString().getBytes(UTF_8));
      return new EventStreamClient(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void wake() {
    reader.start();
  }

  private void read() {
    String id = "";
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("retry: ")) {
          open.countDown();
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          JsonNode event = JsonCodec.mapper().readTree(line.substring(6));
          if (!event.path("cursor").asString("").equals(id)) {
            throw new IllegalStateException("id " + id + " is not the cursor of " + line);
          }
          synchronized (events) {
            events.add(event);
          }
        }
      }
    } catch (IOException closed) {
      // The waiting method reports missing events.
    }
  }

  void awaitOpen() {
    try {
      if (!open.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the stream did not open");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void await(int count) {
    Awaitility.await().atMost(TIMEOUT).until(() -> events().size() >= count);
  }

  void awaitKind(String kind) {
    Awaitility.await().atMost(TIMEOUT).until(() -> kinds().contains(kind));
  }

  List<JsonNode> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  List<Long> cursors() {
    return events().stream().map(event -> event.path("cursor").asLong(0)).toList();
  }

  List<String> kinds() {
    return events().stream().map(event -> event.path("kind").asString("")).toList();
  }

  List<String> runs() {
    return events().stream().map(event -> event.path("run_id").asString("")).toList();
  }

  /** Closes the connection. No event is added after this method returns. */
  @Override
  public void close() {
    try {
      socket.close();
      if (!reader.join(TIMEOUT)) {
        throw new AssertionError("the reader of a closed socket reads on");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
