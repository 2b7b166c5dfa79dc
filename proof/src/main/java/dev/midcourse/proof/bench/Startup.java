package dev.midcourse.proof.bench;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How long a person waits for a command, beside the shortest programs of other runtimes. */
final class Startup implements Benchmark {
  private static final int ROUNDS = 20;
  private static final String PEER = "node -e 0";

  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String question() {
    return "wall time of a command; goal p50 <= 150 ms and <= 1.3 x node";
  }

  /** With a hub of its own, in a folder that is gone afterwards. */
  @Override
  public void run(Path root, PrintStream out) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("mc");
    String midcourse = root.resolve("midcourse").toString();
    Process hub = start(home, List.of(midcourse, "serve", "--port", "0"));
    try {
      List<String> run =
          List.of(midcourse, "run", "--detach", "--agent", "rehearsal", "$ sleep 300");
      if (start(home, run).waitFor() != 0) {
        throw new IOException("no run could be started to list");
      }
      measure(home, midcourse, out);
      start(home, List.of(midcourse, "stop", "-")).waitFor();
    } finally {
      start(home, List.of(midcourse, "shutdown")).waitFor();
      hub.waitFor();
      try (Stream<Path> files = Files.walk(home)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  private static void measure(Path home, String midcourse, PrintStream out)
      throws IOException, InterruptedException {
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put("midcourse --version", List.of(midcourse, "--version"));
    commands.put("midcourse ps", List.of(midcourse, "ps"));
    commands.put(PEER, List.of("node", "-e", "0"));
    commands.put("python3 -c pass", List.of("python3", "-c", "pass"));

    Map<String, List<Duration>> times = new LinkedHashMap<>();
    for (var command : commands.entrySet()) {
      Optional<String> obstacle = warmUp(home, command.getValue());
      if (obstacle.isPresent()) {
        out.printf("  %-22s not measured: %s%n", command.getKey(), obstacle.get());
      } else {
        times.put(command.getKey(), new ArrayList<>());
      }
    }
    // In turn, so that whatever else the machine does is felt by all of them.
    for (int round = 0; round < ROUNDS; round++) {
      for (var row : times.entrySet()) {
        row.getValue().add(time(home, commands.getOrDefault(row.getKey(), List.of())));
      }
    }
    print(times, out);
  }

  private static void print(Map<String, List<Duration>> times, PrintStream out) {
    Optional<Double> peer =
        Optional.ofNullable(times.get(PEER)).map(list -> new Samples(list).millis(0.5));
    times.forEach((name, list) -> {
      Samples samples = new Samples(list);
      String ratio =
          peer.map(base -> "%5.2f x node".formatted(samples.millis(0.5) / base)).orElse("");
      out.printf(
          "  %-22s p50 %6.1f ms   p95 %6.1f ms   %s%n",
          name, samples.millis(0.5), samples.millis(0.95), ratio);
    });
  }

  /** Runs it once so that its files are in memory; says why it cannot be measured, if so. */
  private static Optional<String> warmUp(Path home, List<String> command)
      throws InterruptedException {
    try {
      int code = start(home, command).waitFor();
      return code == 0 ? Optional.empty() : Optional.of("it ends with " + code);
    } catch (IOException e) {
      return Optional.of("not installed");
    }
  }

  private static Duration time(Path home, List<String> command)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    start(home, command).waitFor();
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private static Process start(Path home, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().put("MIDCOURSE_HOME", home.toString());
    return builder.start();
  }
}
