package dev.midcourse.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The resources of this process: its heap after a collection, its resident memory (zero if the
 * system does not report it), its threads of both kinds, its open files and its children.
 */
record ProcessResources(
    long heap, long resident, int platformThreads, long virtualThreads, long files, long children) {
  private static final long MORE_HEAP = 24_000_000;
  private static final long MORE_RESIDENT = 96_000_000;
  private static final long A_LITTLE = 1_000_000;
  private static final int MORE_THREADS = 4;
  private static final int MORE_FILES = 8;

  /** The state in which no client needs anything. */
  static ProcessResources now() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    return new ProcessResources(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        settledBytes(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        countVirtualThreads(),
        files,
        ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).count());
  }

  /**
   * The heap has room for what caches fill up with; memory beside it for what the compiler, the
   * collector and malloc keep; threads and files for pools that come and go.
   */
  void assertNoMoreThan(ProcessResources before) {
    assertThat(children).as("children").isZero();
    assertThat(platformThreads)
        .as("platform threads")
        .isLessThanOrEqualTo(before.platformThreads + MORE_THREADS);
    assertThat(virtualThreads)
        .as("virtual threads")
        .isLessThanOrEqualTo(before.virtualThreads + MORE_THREADS);
    assertThat(files).as("open files").isLessThanOrEqualTo(before.files + MORE_FILES);
    assertThat(heap).as("heap").isLessThanOrEqualTo(before.heap + MORE_HEAP);
    assertThat(resident).as("resident memory").isLessThanOrEqualTo(before.resident + MORE_RESIDENT);
  }

  /**
   * The collector returns memory for some time after it has collected: waits for a second without
   * change.
   */
  private static long settledBytes() {
    long least = residentBytes();
    for (int quiet = 0; quiet < 10; quiet++) {
      LockSupport.parkNanos(100_000_000);
      long now = residentBytes();
      if (now < least - A_LITTLE) {
        quiet = 0;
      }
      least = Math.min(least, now);
    }
    return least;
  }

  private static long residentBytes() {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Only a dump of all threads tells. */
  private static long countVirtualThreads() {
    try {
      Path folder = Files.createTempDirectory("threads");
      Path dump = folder.resolve("dump.txt");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
        try (Stream<String> lines = Files.lines(dump)) {
          return lines.filter(line -> line.matches("#\\d+ \".*\" virtual.*")).count();
        }
      } finally {
        Files.deleteIfExists(dump);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "%.1f MB of heap, %.1f MB in all, %d and %d threads, %d files, %d children"
        .formatted(heap / 1e6, resident / 1e6, platformThreads, virtualThreads, files, children);
  }
}
