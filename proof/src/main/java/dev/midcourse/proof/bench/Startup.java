package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.ServedHub;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures the duration of commands, next to minimal programs of other runtimes. */
final class Startup implements Benchmark {
  private static final int ROUNDS = 20;
  private static final String PEER = "node -e 0";

  @Override
  public String name() {
    return "startup";
  }

  @Override
  public String title() {
    return "Starting a command";
  }

  @Override
  public String question() {
    return "wall time of a command, beside the shortest programs of other runtimes";
  }

  @Override
  public void run(Path root, Report report) throws IOException, InterruptedException {
    String midcourse = root.resolve("midcourse").toString();
    try (ServedHub hub = ServedHub.open(root)) {
      List<String> run =
          List.of(midcourse, "run", "--detach", "--agent", "rehearsal", "$ sleep 300");
      if (hub.start(run).waitFor() != 0) {
        throw new IOException("no run could be started to list");
      }
      measure(hub, midcourse, report);
      hub.start(List.of(midcourse, "stop", "-")).waitFor();
    }
  }

  private static void measure(ServedHub hub, String midcourse, Report report)
      throws IOException, InterruptedException {
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put("midcourse --version", List.of(midcourse, "--version"));
    commands.put("midcourse ps", List.of(midcourse, "ps"));
    commands.put(PEER, List.of("node", "-e", "0"));
    commands.put("python3 -c pass", List.of("python3", "-c", "pass"));

    Map<String, List<Duration>> times = new LinkedHashMap<>();
    for (var command : commands.entrySet()) {
      Optional<String> obstacle = warmUp(hub, command.getValue());
      if (obstacle.isPresent()) {
        report.note(command.getKey() + " was not measured: " + obstacle.get() + ".");
      } else {
        times.put(command.getKey(), new ArrayList<>());
      }
    }
    // The commands alternate, so that other load on the machine affects all of them.
    for (int round = 0; round < ROUNDS; round++) {
      for (var row : times.entrySet()) {
        row.getValue().add(time(hub, commands.getOrDefault(row.getKey(), List.of())));
      }
    }
    report(times, report);
  }

  private static void report(Map<String, List<Duration>> times, Report report) {
    times.forEach((name, list) ->
        report.times(
            name, new Samples(list), name.startsWith("midcourse") ? Goal.most(150) : Goal.NONE));
    Optional.ofNullable(times.get(PEER))
        .map(list -> new Samples(list).millis(0.5))
        .ifPresent(peer ->
            times.forEach((name, list) -> {
              if (name.startsWith("midcourse")) {
                double ratio = new Samples(list).millis(0.5) / peer;
                report.figure(name + " beside " + PEER, ratio, "times", Goal.most(1.3));
              }
            }));
  }

  /**
   * Runs the command once, so that its files are in the page cache; returns the reason if it cannot
   * be measured.
   */
  private static Optional<String> warmUp(ServedHub hub, List<String> command)
      throws InterruptedException {
    try {
      int code = hub.start(command).waitFor();
      return code == 0 ? Optional.empty() : Optional.of("it ends with " + code);
    } catch (IOException e) {
      return Optional.of("not installed");
    }
  }

  private static Duration time(ServedHub hub, List<String> command)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    hub.start(command).waitFor();
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
