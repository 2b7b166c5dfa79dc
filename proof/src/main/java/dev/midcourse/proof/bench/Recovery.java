package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.fixture.ServedHub;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures the time from a crash of the hub until every agent can be steered again. */
final class Recovery implements Benchmark {
  private static final int AGENTS = 200;

  @Override
  public String name() {
    return "recovery";
  }

  @Override
  public String title() {
    return "After a crash of the hub";
  }

  @Override
  public String question() {
    return "kill -9 of a hub with 200 live agents, real processes, until each has accepted a steer from"
        + " the next hub";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (ServedHub hub = ServedHub.open(root)) {
      try (HubCaller caller = hub.caller()) {
        for (int i = 0; i < AGENTS; i++) {
          hub.run(caller, "agent-" + i, "sleep 600");
        }
        for (int i = 0; i < AGENTS; i++) {
          hub.awaitTool(caller, "agent-" + i);
        }
      }
      try (Pace pace = new Pace()) {
        Pace.Kept<Recovered> kept =
            pace.rounds(Recovered::all, Recovered::middle, () -> killed(hub));
        report.figure("the next hub answers after", kept.found().answers(), "ms");
        report.figure(
            "every agent has accepted a steer after", kept.found().all(), "ms", Goal.most(3_000));
        report.rounds("every agent has accepted a steer", kept);
      }
      report.note(
          "The next hub is a program that has just started. A profile shows that on two"
              + " cores half of its time is compilation, and the rest is code that is not"
              + " compiled yet.");
      all(i -> stop(hub, "agent-" + i));
    }
  }

  /** Times in milliseconds since the crash. */
  private record Recovered(double answers, double all) {

    /** Returns the median, or the worse of two. */
    static Recovered middle(List<Recovered> rounds) {
      return rounds.stream()
          .sorted(Comparator.comparingDouble(Recovered::all))
          .toList()
          .get(rounds.size() / 2);
    }
  }

  private static Recovered killed(ServedHub hub) throws Exception {
    hub.kill();
    long began = System.nanoTime();
    hub.startAgain();
    double answers = (System.nanoTime() - began) / 1e6;
    all(i -> steer(hub, "agent-" + i));
    return new Recovered(answers, (System.nanoTime() - began) / 1e6);
  }

  private static String steer(ServedHub hub, String run) throws IOException {
    try (HubCaller caller = hub.caller()) {
      String receipt =
          caller.post("/runs/" + run + "/steers?wait=accepted&timeout=60s", "{\"text\":\"go on\"}");
      if (!receipt.contains("\"accepted\"")) {
        throw new IOException("not accepted: " + receipt);
      }
      return receipt;
    }
  }

  private static String stop(ServedHub hub, String run) throws IOException {
    try (HubCaller caller = hub.caller()) {
      return caller.post("/runs/" + run + "/stop", "{\"wait\":true}");
    }
  }

  private interface Each {
    String agent(int number) throws IOException;
  }

  private static void all(Each each) throws Exception {
    List<Callable<String>> calls = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      int number = i;
      calls.add(() -> each.agent(number));
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> answer : callers.invokeAll(calls)) {
        answer.get();
      }
    }
  }
}
