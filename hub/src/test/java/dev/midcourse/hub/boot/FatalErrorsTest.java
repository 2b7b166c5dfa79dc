package dev.midcourse.hub.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FatalErrorsTest {
  @TempDir Path folder;

  @Test
  void a_broken_class_and_missing_memory_are_fatal_and_a_deep_stack_is_not() {
    assertThat(FatalErrors.isFatal(new NoClassDefFoundError("x"))).isTrue();
    assertThat(FatalErrors.isFatal(new ExceptionInInitializerError("x"))).isTrue();
    assertThat(FatalErrors.isFatal(new OutOfMemoryError("x"))).isTrue();
    assertThat(FatalErrors.isFatal(new CompletionException(new NoClassDefFoundError("x"))))
        .isTrue();
    assertThat(FatalErrors.isFatal(new StackOverflowError())).isFalse();
    assertThat(FatalErrors.isFatal(new IllegalStateException("x"))).isFalse();
    assertThat(FatalErrors.isFatal(new AssertionError("x"))).isFalse();
  }

  /** Seen to fail when the record of a fatal error is only written. */
  @Test
  void a_fatal_error_that_was_caught_and_logged_is_written_and_ends_the_process() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    HubLog log = new HubLog(folder.resolve("hub.log"), Optional.empty(), ended::incrementAndGet);
    LogRecord record = new LogRecord(Level.WARNING, "a request failed");
    record.setLoggerName("test");
    record.setThrown(new IllegalStateException("of the request"));
    log.publish(record);
    assertThat(ended).hasValue(0);
    record.setThrown(new IllegalStateException(new NoClassDefFoundError("a.Class")));
    log.publish(record);
    assertThat(ended).hasValue(1);
    assertThat(Files.readString(folder.resolve("hub.log"))).contains("a.Class");
  }
}
