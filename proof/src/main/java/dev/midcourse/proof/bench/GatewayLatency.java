package dev.midcourse.proof.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.gateway.process.GatewayFolder;
import dev.midcourse.gateway.process.GatewayProcess;
import dev.midcourse.gateway.record.AttemptKey;
import dev.midcourse.gateway.record.RouteFolder;
import dev.midcourse.gateway.record.RouteSpec;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures what the gateway adds to a request and to each event of its response. Requests go
 * directly and through the gateway in turns, to a provider in this process.
 */
final class GatewayLatency implements Benchmark {
  private static final int WARM_UP = 400;
  private static final int ROUNDS = 400;
  private static final int EVENTS = 10;
  private static final Duration BETWEEN_EVENTS = Duration.ofMillis(3);

  /** An event has the time at which it was sent, always with the same number of digits. */
  private static final String EVENT =
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"sent\":\"%020d\"}\n\n";

  private static final int EVENT_LENGTH = EVENT.formatted(0).length();

  @Override
  public String name() {
    return "gateway";
  }

  @Override
  public String title() {
    return "What the gateway adds";
  }

  @Override
  public String question() {
    return "a request to a model, sent directly and through the gateway in turns: until the first byte"
        + " of the response, and from the write of an event to its arrival";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    Path folder = Files.createTempDirectory("midcourse-gateway");
    try (ServerSocket provider = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        ProcessHost host = ProcessHost.open()) {
      Thread.ofPlatform().daemon().start(() -> accept(provider));
      GatewayFolder gatewayFolder = GatewayFolder.open(folder.resolve("gateway"));
      AttemptKey key = AttemptKey.fresh();
      RouteFolder.open(gatewayFolder.routes())
          .put(
              key,
              new RouteSpec(
                  "http://127.0.0.1:" + provider.getLocalPort(), folder.resolve("records")));
      GatewayProcess gateway = GatewayProcess.open(host, gatewayFolder);
      try (Agent direct = Agent.connect(provider.getLocalPort(), "");
          Agent through = Agent.connect(gateway.port(), "/" + key.secret())) {
        measure(report, direct, through, 50, 0.5);
        measure(report, direct, through, 500, 1);
        measureEvents(report, direct, through);
      } finally {
        gateway.end();
      }
    } finally {
      remove(folder);
    }
  }

  private static void measure(
      Report report, Agent direct, Agent through, int kilobytes, double goal) throws IOException {
    byte[] body = body(kilobytes * 1000);
    for (int i = 0; i < WARM_UP; i++) {
      direct.firstByte(body, 1);
      through.firstByte(body, 1);
    }
    List<Duration> plain = new ArrayList<>();
    List<Duration> proxied = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      plain.add(direct.firstByte(body, 1));
      proxied.add(through.firstByte(body, 1));
    }
    String what = "first byte, " + kilobytes + " kB";
    report(report, what, new Samples(plain), new Samples(proxied), goal);
  }

  private static void measureEvents(Report report, Agent direct, Agent through) throws IOException {
    byte[] body = body(1000);
    List<Duration> plain = new ArrayList<>();
    List<Duration> proxied = new ArrayList<>();
    for (int i = 0; i < ROUNDS / 8; i++) {
      direct.firstByte(body, EVENTS);
      plain.addAll(direct.delays());
      through.firstByte(body, EVENTS);
      proxied.addAll(through.delays());
    }
    report(report, "one event", new Samples(plain), new Samples(proxied), 0.3);
  }

  private static void report(
      Report report, String what, Samples direct, Samples through, double goal) {
    report.times(what + ", directly", direct);
    report.times(what + ", through the gateway", through);
    report.figure(
        what + ": added to the median",
        through.millis(0.5) - direct.millis(0.5),
        "ms",
        Goal.most(goal));
  }

  private static byte[] body(int size) {
    String start =
        "{\"model\":\"m\",\"tools\":[{}],\"messages\":[{\"role\":\"user\",\"content\":\"";
    String end = "\"}]}";
    return (start + "x".repeat(size - start.length() - end.length()) + end).getBytes(US_ASCII);
  }

  /** The side of the agent: one connection that is kept open. */
  private static final class Agent implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final String path;
    private List<Duration> delays = List.of();

    private Agent(Socket socket, InputStream in, String path) {
      this.socket = socket;
      this.in = in;
      this.path = path;
    }

    static Agent connect(int port, String prefix) throws IOException {
      Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
      socket.setTcpNoDelay(true);
      return new Agent(
          socket, new BufferedInputStream(socket.getInputStream()), prefix + "/v1/messages");
    }

    List<Duration> delays() {
      return delays;
    }

    /** Sends a request, reads the whole response, and returns the time to its first byte. */
    Duration firstByte(byte[] body, int events) throws IOException {
      String head =
          "POST %s HTTP/1.1\r\nHost: x\r\nX-Events: %d\r\nContent-Length: %d\r\n\r\n"
              .formatted(path, events, body.length);
      OutputStream out = socket.getOutputStream();
      long begun = System.nanoTime();
      out.write(head.getBytes(US_ASCII));
      out.write(body);
      in.mark(1);
      in.read();
      Duration first = Duration.ofNanos(System.nanoTime() - begun);
      in.reset();
      skipHead();
      delays = new ArrayList<>();
      for (int i = 0; i < events; i++) {
        String event = new String(in.readNBytes(EVENT_LENGTH), US_ASCII);
        long arrived = System.nanoTime();
        int at = event.indexOf("\"sent\":\"") + 8;
        delays.add(Duration.ofNanos(arrived - Long.parseLong(event.substring(at, at + 20))));
      }
      return first;
    }

    private void skipHead() throws IOException {
      int ends = 0;
      while (ends < 4) {
        int b = in.read();
        ends = b == "\r\n\r\n".charAt(ends) ? ends + 1 : b == '\r' ? 1 : 0;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void accept(ServerSocket provider) {
    try {
      while (true) {
        Socket socket = provider.accept();
        Thread.ofPlatform().daemon().start(() -> answerAll(socket));
      }
    } catch (IOException closed) {
      // The measurement has ended.
    }
  }

  private static void answerAll(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      // Bodies are ASCII, so that characters are bytes.
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII), 1 << 20);
      Optional<Request> request = Request.read(in);
      while (request.isPresent()) {
        answer(socket.getOutputStream(), request.get().events());
        request = Request.read(in);
      }
    } catch (IOException | InterruptedException ended) {
      // The measurement has ended.
    }
  }

  /** A request that was read with its body. */
  private record Request(int events) {
    static Optional<Request> read(BufferedReader in) throws IOException {
      int events = 0;
      int length = 0;
      String line = in.readLine();
      if (line == null) {
        return Optional.empty();
      }
      while (!line.isEmpty()) {
        String[] field = line.split(": ", 2);
        if (field[0].equals("X-Events")) {
          events = Integer.parseInt(field[1]);
        } else if (field[0].equals("Content-Length")) {
          length = Integer.parseInt(field[1]);
        }
        line = in.readLine();
      }
      char[] portion = new char[64 * 1024];
      while (length > 0) {
        length -= in.read(portion, 0, Math.min(portion.length, length));
      }
      return Optional.of(new Request(events));
    }
  }

  private static void answer(OutputStream out, int events)
      throws IOException, InterruptedException {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n"
            .formatted(events * EVENT_LENGTH);
    out.write(head.getBytes(US_ASCII));
    for (int i = 0; i < events; i++) {
      if (i > 0) {
        TimeUnit.NANOSECONDS.sleep(BETWEEN_EVENTS.toNanos());
      }
      out.write(EVENT.formatted(System.nanoTime()).getBytes(US_ASCII));
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
