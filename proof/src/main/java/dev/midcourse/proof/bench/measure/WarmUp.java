package dev.midcourse.proof.bench.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Repeats work until Java has compiled it, because a hub that runs all day has compiled its code.
 */
public final class WarmUp {
  private static final int MIN_ROUNDS = 10;
  private static final int MAX_ROUNDS = 60;

  /** The compilers may still use this share of the time. */
  private static final double MAX_COMPILER_SHARE = 0.1;

  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  private WarmUp() {}

  /** Returns when the compilers are idle, or after 60 repetitions. */
  public static void by(Callable<?> aSecond) throws Exception {
    double share = 1;
    for (int i = 0; i < MIN_ROUNDS || (share > MAX_COMPILER_SHARE && i < MAX_ROUNDS); i++) {
      long began = System.nanoTime();
      long before = COMPILERS.getTotalCompilationTime();
      Object _ = aSecond.call();
      double took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      share = (COMPILERS.getTotalCompilationTime() - before) / Math.max(1, took);
    }
  }
}
