package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.hub.boot.CompilerThreadPriority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class CompilerThreadPriorityTest {
  /** Seen to fail when a starting hub does not lower the priority. */
  @Test
  void the_optimizing_compiler_of_a_hub_gives_way_and_nothing_else_does(@TempDir Path folder)
      throws Exception {
    try (HubProcess hub = HubProcess.start(folder.resolve("data"), "--port", "0").up()) {
      int hubs = nice(Path.of("/proc/" + hub.pid())); // the tests may run with a low priority
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> {
            Map<Boolean, List<Path>> threads = threads(hub.pid());
            assertThat(threads.get(true))
                .isNotEmpty()
                .allMatch(it -> nice(it) == hubs + CompilerThreadPriority.NICE);
            assertThat(threads.get(false))
                .isNotEmpty()
                .allMatch(it -> nice(it) < hubs + CompilerThreadPriority.NICE);
          });
    }
  }

  private static Map<Boolean, List<Path>> threads(long process) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + process + "/task"))) {
      return all.collect(Collectors.partitioningBy(CompilerThreadPriority::optimizes));
    }
  }

  private static int nice(Path thread) {
    try {
      return CompilerThreadPriority.nice(thread);
    } catch (IOException ended) {
      return 0;
    }
  }
}
