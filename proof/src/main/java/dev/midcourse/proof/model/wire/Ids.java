package dev.midcourse.proof.model.wire;

import java.util.concurrent.atomic.AtomicLong;

/** Ids for messages and calls, unique in this process. */
public final class Ids {
  private static final AtomicLong COUNTER = new AtomicLong();

  private Ids() {}

  public static String next(String prefix) {
    return "%s_scripted%06d".formatted(prefix, COUNTER.incrementAndGet());
  }
}
