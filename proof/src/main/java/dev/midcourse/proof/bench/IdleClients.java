package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.HubCaller;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the memory of two thousand event clients that receive no events. The figure includes the
 * sockets of the clients.
 */
final class IdleClients implements Benchmark {
  private static final int CLIENTS = 2_000;
  private static final double PAGES_TO_MB = 4096 / 1e6;

  @Override
  public String name() {
    return "idle-clients";
  }

  @Override
  public String title() {
    return "Idle clients";
  }

  @Override
  public String question() {
    return "memory that 2,000 idle clients of the event stream cost, their own sockets included";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    List<HubCaller> clients = new ArrayList<>();
    try (BenchHub fixture = BenchHub.open()) {
      for (int i = 0; i < 50; i++) {
        clients.add(listening(fixture));
      }
      long heap = LiveRuns.heap();
      double before = resident();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(listening(fixture));
      }
      // The process may have reserved the memory before; then only the heap shows it.
      report.figure("2,000 clients, the process", resident() - before, "MB", Goal.most(100));
      report.figure(
          "2,000 clients, the heap", (LiveRuns.heap() - heap) / 1e6, "MB", Goal.most(100));
      report.figure("clients that are connected", fixture.hub().clients(), "");
      for (HubCaller client : clients) {
        client.close();
      }
    }
  }

  private static HubCaller listening(BenchHub fixture) throws IOException {
    HubCaller caller = fixture.caller();
    caller.listen("");
    return caller;
  }

  /** Returns the resident memory of the process in MB. */
  private static double resident() throws IOException {
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1];
    return Long.parseLong(pages) * PAGES_TO_MB;
  }
}
