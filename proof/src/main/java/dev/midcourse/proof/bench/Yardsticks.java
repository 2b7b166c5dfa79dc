package dev.midcourse.proof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.proof.bench.fixture.BenchFixture;
import dev.midcourse.proof.bench.fixture.Folders;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import redis.embedded.RedisServer;

/**
 * Compares a steer with two other ways to bring a message to a running agent: a list in Redis, and
 * a folder that the worker polls twice a second.
 */
final class Yardsticks implements Benchmark {
  private static final int MESSAGES = 500;
  private static final int PER_SECOND = 50;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  @Override
  public String name() {
    return "yardsticks";
  }

  @Override
  public String title() {
    return "Comparison with Redis and polling";
  }

  @Override
  public String question() {
    return "a message until the worker has it, 50 a second: a durable steer, a durable list in"
        + " Redis, a folder that is polled every 500 ms";
  }

  /** Sends the message with this number, which was due at this time. */
  private interface Sender {
    void send(int number, long due) throws IOException;
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    Samples ours = steers();
    Samples redis = redisList();
    Samples folder = polledFolder();
    report.times("a durable steer of Midcourse", ours);
    report.times("a list in Redis, fsync always", redis);
    report.times("a folder, polled every 500 ms", folder);
    double typical = ours.millis(0.5);
    report.figure("Redis, relative to Midcourse, p50", redis.millis(0.5) / typical, "times");
    report.figure("the folder, relative to Midcourse, p50", folder.millis(0.5) / typical, "times");
    report.note(
        "Redis stores a message without its sender and its delivery state. A popped message is lost"
            + " with the worker that popped it.");
  }

  private static Samples steers() throws Exception {
    try (BenchFixture fixture = new BenchFixture()) {
      RunId run = fixture.run("worker", "$ sleep 600");
      fixture.awaitTurns(1);
      Map<SteerId, Long> due = new ConcurrentHashMap<>();
      Sender sender =
          (number, at) -> {
            due.put(fixture.steer(run, "remark " + number).receipt().steerId(), at);
          };
      send(sender, MESSAGES); // warm-up until the code is compiled
      due.clear();
      send(sender, MESSAGES);
      while (!fixture.driver().written().keySet().containsAll(due.keySet())) {
        Thread.sleep(10);
      }
      List<Duration> times = new ArrayList<>();
      due.forEach((id, at) ->
          times.add(
              Duration.ofNanos(Objects.requireNonNull(fixture.driver().written().get(id)) - at)));
      return new Samples(times);
    }
  }

  /** Sends from one thread. A late send counts from its due time. */
  private static void send(Sender sender, int count) throws IOException {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + TimeUnit.SECONDS.toNanos(i) / PER_SECOND;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      sender.send(i, due);
    }
  }

  private static Samples redisList() throws Exception {
    Path folder = Folders.make();
    int port = freePort();
    RedisServer server =
        RedisServer.builder()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("appendonly yes")
            .setting("appendfsync always")
            .setting("dir " + folder)
            .build();
    server.start();
    try (Socket pushing = new Socket(InetAddress.getLoopbackAddress(), port);
        Socket popping = new Socket(InetAddress.getLoopbackAddress(), port)) {
      pushing.setTcpNoDelay(true);
      popping.setTcpNoDelay(true);
      List<Duration> times = new ArrayList<>();
      Thread worker = Thread.ofPlatform().start(() -> pop(popping, times));
      BufferedReader answers = reader(pushing);
      send(
          (number, due) -> {
            say(pushing, "RPUSH worker " + due);
            answers.readLine();
          },
          2 * MESSAGES);
      worker.join();
      return new Samples(times.subList(MESSAGES, 2 * MESSAGES));
    } finally {
      server.stop();
      Folders.delete(folder);
    }
  }

  /** A worker that blocks on the list. Each element is the due time of its message. */
  private static void pop(Socket socket, List<Duration> times) {
    try {
      BufferedReader answers = reader(socket);
      while (times.size() < 2 * MESSAGES) {
        say(socket, "BLPOP worker 30");
        for (int line = 0; line < 4; line++) {
          answers.readLine(); // array length, length and name of the list, length of the element
        }
        String sent = Objects.requireNonNull(answers.readLine(), "Redis has gone");
        times.add(Duration.ofNanos(System.nanoTime() - Long.parseLong(sent)));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  private static void say(Socket socket, String command) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write((command + "\r\n").getBytes(UTF_8));
    out.flush();
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static Samples polledFolder() throws Exception {
    Path folder = Folders.make();
    try {
      List<Duration> times = new ArrayList<>();
      Thread worker = Thread.ofPlatform().start(() -> look(folder, times));
      send(
          (number, due) -> {
            Path hidden = folder.resolve("." + number);
            Files.writeString(hidden, Long.toString(due));
            Files.move(hidden, folder.resolve(number + ".json"), StandardCopyOption.ATOMIC_MOVE);
          },
          MESSAGES);
      worker.join();
      return new Samples(times);
    } finally {
      Folders.delete(folder);
    }
  }

  private static void look(Path folder, List<Duration> times) {
    try {
      while (times.size() < MESSAGES) {
        Thread.sleep(POLL_INTERVAL);
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
            long sent = Long.parseLong(Files.readString(file));
            times.add(Duration.ofNanos(System.nanoTime() - sent));
            Files.delete(file);
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
