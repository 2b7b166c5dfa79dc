package dev.midcourse.agents.process.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryWatcherTest {
  @TempDir private Path folder;

  /** Seen to fail when deletions are not watched. */
  @Test
  void a_created_file_and_a_deleted_file_are_reported() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/sys/fs/inotify")), "no inotify");
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    try (DirectoryWatcher watch = DirectoryWatcher.open(Duration.ofDays(1));
        DirectoryWatcher.Registration _ = watch.register(folder, listener(events))) {
      Path file = Files.createFile(folder.resolve("task.json"));
      assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("changed task.json");
      Files.delete(file);
      assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("gone task.json");
    }
  }

  private static DirectoryWatcher.Listener listener(BlockingQueue<String> events) {
    return new DirectoryWatcher.Listener() {
      @Override
      public void changed(Optional<String> file) {
        events.add("changed " + file.orElse("something"));
      }

      @Override
      public void gone(String file) {
        events.add("gone " + file);
      }
    };
  }
}
