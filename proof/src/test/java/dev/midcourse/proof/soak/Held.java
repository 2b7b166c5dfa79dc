package dev.midcourse.proof.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What this process holds of the machine. */
record Held(long heap, int threads, long files, long processes) {

  /** As it is when nobody needs anything any more. */
  static Held now() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    return new Held(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        files,
        ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).count());
  }

  @Override
  public String toString() {
    return "%.1f MB, %d threads, %d files, %d processes"
        .formatted(heap / 1e6, threads, files, processes);
  }
}
