package dev.midcourse.hub.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.logging.LogRecord;

/**
 * Decides which log records are written. Of each kind, {@link #MAX_PER_MINUTE} are written per
 * minute, so that one repeated record cannot push the others out of the log file. The next written
 * record says how many were left out. For one thread at a time.
 */
final class RepeatedRecords {
  static final int MAX_PER_MINUTE = 20;

  /** The maximum of remembered kinds; the one that came first is forgotten. */
  static final int MAX_KINDS = 512;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final SequencedMap<String, Count> kinds = new LinkedHashMap<>();

  private record Count(long since, int written, int leftOut) {}

  /** Whether a record is written, and how many of its kind were left out before it. */
  sealed interface Decision {
    record Write(int leftOutBefore) implements Decision {}

    record LeaveOut() implements Decision {}
  }

  /**
   * @param millis the time of the record
   */
  Decision decide(LogRecord record, long millis) {
    String kind = kindOf(record);
    Count count = kinds.getOrDefault(kind, new Count(millis, 0, 0));
    if (millis - count.since() >= WINDOW.toMillis()) {
      put(kind, new Count(millis, 1, 0));
      return new Decision.Write(count.leftOut());
    }
    if (count.written() < MAX_PER_MINUTE) {
      put(kind, new Count(count.since(), count.written() + 1, 0));
      return new Decision.Write(0);
    }
    put(kind, new Count(count.since(), count.written(), count.leftOut() + 1));
    return new Decision.LeaveOut();
  }

  private void put(String kind, Count count) {
    kinds.put(kind, count);
    if (kinds.size() > MAX_KINDS) {
      kinds.pollFirstEntry();
    }
  }

  /**
   * Returns the kind of a record: the place of its failure, or else its message without the values.
   */
  private static String kindOf(LogRecord record) {
    Throwable failure = record.getThrown();
    if (failure == null) {
      return record.getLoggerName() + ": " + record.getMessage();
    }
    StackTraceElement[] stack = failure.getStackTrace();
    return failure.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
  }
}
