package dev.midcourse.proof.bench.loop;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;

/** Measures what loops themselves cost: between agent and CI, while they wait, and to look at. */
public final class AutopilotLoops implements Benchmark {
  private static final int FIXES = 40;
  private static final int WAITING = 1_000;
  private static final int READS = 2_000;
  private static final Duration SETTLE_TIME = Duration.ofSeconds(5);
  private static final Duration MEASURED_TIME = Duration.ofSeconds(10);
  private static final double MAX_IDLE_PERCENT = 0.5;
  private static final int MAX_THREADS = 5;

  @Override
  public String name() {
    return "autopilot";
  }

  @Override
  public String title() {
    return "Autopilot loops";
  }

  @Override
  public String question() {
    return "what a loop adds between the end of CI and its fix, and to a round; a thousand loops that"
        + " wait; reading the state of a loop";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (LoopBenchHub hub = new LoopBenchHub()) {
      rounds(hub, report);
      reads(hub, report);
      waits(hub, report);
    }
    report.note(
        "Agent and CI are shell scripts that note the time in their first and last line, so the times"
            + " contain the start of a process, its checkout, and the reading of the reports and of"
            + " the branch with git. A round is one fix and one run of CI.");
  }

  private static void rounds(LoopBenchHub hub, Report report) throws Exception {
    int[] number = {0};
    try (Pace pace = new Pace()) {
      Pace.Kept<RoundTimes> kept =
          pace.rounds(
              times -> times.ciToFix().millis(0.5),
              RoundTimes::together,
              () -> RoundTimes.measure(hub, "round-" + ++number[0], FIXES));
      report.times("CI ends → the fix has started", kept.found().ciToFix(), Goal.most(50));
      report.times("the agent ends → CI has started", kept.found().agentToCi());
      report.times("a round, without agent and CI", kept.found().overhead(), Goal.most(200));
      report.rounds("CI ends → the fix has started", kept);
    }
  }

  private static void reads(LoopBenchHub hub, Report report) throws InterruptedException {
    Loop loop = RoundTimes.awaitParked(hub, hub.start("read", 5));
    report.figure(
        "the state of a loop after 5 fixes", millisToRead(hub, loop.id()), "ms", Goal.most(0.1));
  }

  /** The mean time of a read, when Java has compiled it. */
  private static double millisToRead(LoopBenchHub hub, LoopId id) {
    double millis = 0;
    for (int i = 0; i < 4; i++) {
      long began = System.nanoTime();
      for (int read = 0; read < READS; read++) {
        Loop _ = hub.now(id);
      }
      millis = (System.nanoTime() - began) / 1e6 / READS;
    }
    return millis;
  }

  private static void waits(LoopBenchHub hub, Report report)
      throws InterruptedException, IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    hub.restartLoops();
    double idleBefore = percentOfCore();
    int before = threads.getThreadCount();
    WaitingLoops.store(hub, WAITING);
    hub.restartLoops();
    double idle = percentOfCore();
    report.figure(
        "threads that 1,000 waiting loops hold",
        Math.max(0, threads.getThreadCount() - before),
        "",
        Goal.most(MAX_THREADS));
    report.figure("of a core without them", idleBefore, "%");
    report.figure(
        "of a core that they cost",
        Math.max(0, idle - idleBefore),
        "%",
        Goal.most(MAX_IDLE_PERCENT));
  }

  private static double percentOfCore() throws InterruptedException {
    Thread.sleep(SETTLE_TIME);
    long began = System.nanoTime();
    long cpu = cpuNanos();
    Thread.sleep(MEASURED_TIME);
    return 100.0 * (cpuNanos() - cpu) / (System.nanoTime() - began);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
