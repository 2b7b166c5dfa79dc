package dev.midcourse.proof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.fixture.ServedHub;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Measures the time from a stop request until no process of the run is alive. */
final class StopTime implements Benchmark {
  private static final int ROUNDS = 20;
  private static final Path PROCESSES = Path.of("/proc");

  @Override
  public String name() {
    return "stop";
  }

  @Override
  public String title() {
    return "Stopping a run";
  }

  @Override
  public String question() {
    return "POST of a stop until it is answered, which is when no process of the run's tree is alive;"
        + " real processes, looked for at that moment";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (ServedHub hub = ServedHub.open(root);
        HubCaller caller = hub.caller()) {
      report.times(
          "a tool that ends at TERM", times(hub, caller, "quick", "$ sleep 300"), Goal.most(300));
      report.times(
          "a tool that ignores TERM",
          times(hub, caller, "tool", "$ trap '' TERM; while :; do sleep 1; done"),
          Goal.most(1_000));
      report.times(
          "an agent that ignores TERM, and so does its tool",
          times(hub, caller, "agent", "! ignore-term\\n$ trap '' TERM; while :; do sleep 1; done"),
          Goal.most(1_000));
    }
  }

  private static Samples times(ServedHub hub, HubCaller caller, String name, String prompt)
      throws IOException, InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      String id = "stop-" + name + "-" + i;
      hub.prompt(caller, id, prompt);
      hub.awaitTool(caller, id);
      if (alive(id).isEmpty()) {
        throw new IllegalStateException(id + " has no process that could be stopped");
      }
      long asked = System.nanoTime();
      caller.post("/runs/" + id + "/stop", "{\"wait\":true}");
      times.add(Duration.ofNanos(System.nanoTime() - asked));
      List<Path> left = alive(id);
      if (!left.isEmpty()) {
        throw new IllegalStateException(id + " is stopped, and these are alive: " + left);
      }
    }
    return new Samples(times);
  }

  /** Returns the processes whose environment contains the run's id. */
  private static List<Path> alive(String run) throws IOException {
    try (Stream<Path> all = Files.list(PROCESSES)) {
      return all.filter(process -> carries(process, "MIDCOURSE_RUN=" + run)).toList();
    }
  }

  private static boolean carries(Path process, String variable) {
    try {
      byte[] environment = Files.readAllBytes(process.resolve("environ"));
      return List.of(new String(environment, UTF_8).split("\0")).contains(variable);
    } catch (IOException goneOrNone) {
      return false;
    }
  }
}
