package dev.midcourse.proof.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;

/** What ten thousand live runs cost the hub itself. */
final class LiveRuns implements Benchmark {
  private static final int RUNS = 10_000;

  @Override
  public String name() {
    return "live";
  }

  @Override
  public String question() {
    return "heap per live run with 10,000 of them; goal <= 30 kB";
  }

  @Override
  public void run(Path root, PrintStream out) throws Exception {
    try (BenchHouse house = new BenchHouse()) {
      house.run("warm", "$ sleep 3600");
      house.awaitTurns(1);
      long before = heap();
      long start = System.nanoTime();
      for (int i = 0; i < RUNS; i++) {
        house.run("live-" + i, "$ sleep 3600");
      }
      house.awaitTurns(RUNS + 1);
      double seconds = (System.nanoTime() - start) / 1e9;
      long cpu = cpuNanos();
      Thread.sleep(5_000);
      double idle = (cpuNanos() - cpu) / 5e9;
      out.printf(
          "  %,d live after %.1f s; %.1f kB heap each; %.1f %% of a core while idle%n",
          RUNS, seconds, (heap() - before) / 1e3 / RUNS, idle * 100);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** What is in use after everything that can go is gone. */
  static long heap() throws InterruptedException {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(200);
    }
    return memory.getHeapMemoryUsage().getUsed();
  }
}
