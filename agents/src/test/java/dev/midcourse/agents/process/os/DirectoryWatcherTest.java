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
  void a_file_that_comes_is_told_and_one_that_goes_is_told_as_gone() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/sys/fs/inotify")), "no inotify");
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (DirectoryWatcher watch = DirectoryWatcher.open(Duration.ofDays(1));
        DirectoryWatcher.Registration _ = watch.register(folder, listener(told))) {
      Path file = Files.createFile(folder.resolve("task.json"));
      assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("changed task.json");
      Files.delete(file);
      assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("gone task.json");
    }
  }

  private static DirectoryWatcher.Listener listener(BlockingQueue<String> told) {
    return new DirectoryWatcher.Listener() {
      @Override
      public void changed(Optional<String> file) {
        told.add("changed " + file.orElse("something"));
      }

      @Override
      public void gone(String file) {
        told.add("gone " + file);
      }
    };
  }
}
