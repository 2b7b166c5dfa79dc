package dev.midcourse.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
  private final List<String> logged = new ArrayList<>();
  private final RetryDelay delay =
      new RetryDelay(new Log(), Duration.ofNanos(1), "Reading", "Entries are late.");

  /** Keeps warnings and information. */
  private final class Log implements System.Logger {
    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
      if (isLoggable(level)) {
        logged.add(java.text.MessageFormat.format(format, parameters));
      }
    }
  }

  /** Seen to fail when each failure is a warning. */
  @Test
  void the_first_failure_of_a_row_and_the_recovery_are_logged() {
    assertThat(delay.sleepAfter(new IllegalStateException("no disk"))).isTrue();
    delay.sleepAfter(new IllegalStateException("no disk"));
    delay.sleepAfter(new IllegalStateException("no disk"));
    assertThat(logged)
        .containsExactly("Reading failed (no disk); retrying every 0 ms. Entries are late.");
    delay.succeeded();
    delay.succeeded();
    delay.sleepAfter(new IllegalStateException("no net"));
    assertThat(logged).element(1).isEqualTo("Reading works again after 3 failures.");
    assertThat(logged).hasSize(3).last().asString().contains("no net");
  }

  @Test
  void an_interrupted_thread_ends() {
    Thread.currentThread().interrupt();
    assertThat(delay.sleepAfter(new IllegalStateException("x"))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }
}
