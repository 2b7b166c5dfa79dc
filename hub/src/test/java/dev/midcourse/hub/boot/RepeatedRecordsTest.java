package dev.midcourse.hub.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.boot.RepeatedRecords.Decision;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class RepeatedRecordsTest {
  private final RepeatedRecords repeated = new RepeatedRecords();

  private static LogRecord record(String message, Object... values) {
    LogRecord record = new LogRecord(Level.WARNING, message);
    record.setLoggerName("test");
    record.setParameters(values);
    return record;
  }

  private static LogRecord failure(String message) {
    LogRecord record = record(message);
    record.setThrown(new IllegalStateException(message));
    return record;
  }

  private int written(int count, long millis) {
    int written = 0;
    for (int i = 0; i < count; i++) {
      if (repeated.decide(record("{0} failed", i), millis) instanceof Decision.Write) {
        written++;
      }
    }
    return written;
  }

  /** Seen to fail when records are compared with their values. */
  @Test
  void of_one_kind_so_many_a_minute_are_written_and_the_next_one_says_how_many_were_not() {
    assertThat(written(100, 0)).isEqualTo(RepeatedRecords.MAX_PER_MINUTE);
    assertThat(repeated.decide(record("{0} failed", 1), 59_999)).isEqualTo(new Decision.LeaveOut());
    assertThat(repeated.decide(record("{0} failed", 1), 60_000))
        .isEqualTo(new Decision.Write(101 - RepeatedRecords.MAX_PER_MINUTE));
    assertThat(repeated.decide(record("{0} failed", 1), 60_000)).isEqualTo(new Decision.Write(0));
  }

  @Test
  void a_flood_of_one_kind_leaves_out_no_other() {
    assertThat(written(100, 0)).isEqualTo(RepeatedRecords.MAX_PER_MINUTE);
    assertThat(repeated.decide(record("the disk is full"), 1)).isEqualTo(new Decision.Write(0));
  }

  /** Seen to fail when failures are compared by their messages. */
  @Test
  void failures_of_one_place_are_one_kind_whatever_their_messages_say() {
    int written = 0;
    for (int i = 0; i < 100; i++) {
      if (repeated.decide(failure("request " + i), 0) instanceof Decision.Write) {
        written++;
      }
    }
    assertThat(written).isEqualTo(RepeatedRecords.MAX_PER_MINUTE);
  }
}
