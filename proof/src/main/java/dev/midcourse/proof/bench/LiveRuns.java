package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.fixture.BenchFixture;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Report;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;

/** Measures the memory and time that ten thousand live runs cost the hub. */
final class LiveRuns implements Benchmark {
  private static final int RUNS = 10_000;

  @Override
  public String name() {
    return "live";
  }

  @Override
  public String title() {
    return "Ten thousand live runs";
  }

  @Override
  public String question() {
    return "what 10,000 live runs cost the hub itself";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (BenchFixture fixture = new BenchFixture()) {
      fixture.run("warm", "$ sleep 3600");
      fixture.awaitTurns(1);
      long before = heap();
      long start = System.nanoTime();
      for (int i = 0; i < RUNS; i++) {
        fixture.run("live-" + i, "$ sleep 3600");
      }
      fixture.awaitTurns(RUNS + 1);
      double seconds = (System.nanoTime() - start) / 1e9;
      long cpu = cpuNanos();
      Thread.sleep(5_000);
      double idle = (cpuNanos() - cpu) / 5e9;
      report.figure("heap for each run", (heap() - before) / 1e3 / RUNS, "kB", Goal.most(30));
      report.figure("all live after", seconds, "s");
      report.figure("of a core while they wait", idle * 100, "%");
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** Returns the used heap after a garbage collection. */
  static long heap() throws InterruptedException {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(200);
    }
    return memory.getHeapMemoryUsage().getUsed();
  }
}
