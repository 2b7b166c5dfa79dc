package dev.midcourse.proof.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long from asking for the end of a run until nothing of its processes is alive. */
final class StopTime implements Benchmark {
  private static final int ROUNDS = 20;

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
    return "POST of a stop until no process of the run's tree is alive; real processes";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (ServedHub hub = ServedHub.open(root);
        HubCaller caller = hub.caller()) {
      report.times("a tool that ends when told", times(hub, caller, "sleep 300"), Goal.most(300));
      report.times(
          "a tool that ignores TERM",
          times(hub, caller, "trap '' TERM; while :; do sleep 1; done"),
          Goal.most(1_000));
    }
  }

  private static Samples times(ServedHub hub, HubCaller caller, String command)
      throws IOException, InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      String id = "stop-" + i + "-" + Integer.toHexString(command.hashCode());
      hub.run(caller, id, command);
      hub.awaitTool(caller, id);
      long asked = System.nanoTime();
      caller.post("/runs/" + id + "/stop", "{\"wait\":true}");
      times.add(Duration.ofNanos(System.nanoTime() - asked));
    }
    return new Samples(times);
  }
}
