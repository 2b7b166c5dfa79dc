package dev.midcourse.proof.bench.chat;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Measures the processor time of this process while nothing happens. */
final class IdleCost {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(5);
  private static final Duration MEASURED_TIME = Duration.ofSeconds(10);

  private IdleCost() {}

  /** Waits until the start of a hub is over; returns the used share of one core in percent. */
  static double percentOfCore() throws InterruptedException {
    Thread.sleep(SETTLE_TIME);
    long began = System.nanoTime();
    long before = cpuNanos();
    Thread.sleep(MEASURED_TIME);
    return 100.0 * (cpuNanos() - before) / (System.nanoTime() - began);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
