package dev.midcourse.agents.process;

import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.os.Libc;
import dev.midcourse.agents.process.tree.HandleTable;
import dev.midcourse.agents.process.tree.ProcessTable;
import dev.midcourse.agents.process.tree.ProcfsTable;
import dev.midcourse.agents.process.wrapper.WrapperScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The operating system features that are used to host programs. Each feature can be switched off.
 *
 * @param fifo whether inputs may be FIFOs, so that programs outlive the hub
 * @param inotify whether folders may be watched by inotify
 * @param procfs whether processes are read from {@code /proc}
 * @param net the interval of full scans, which find changes without an event
 */
public record PlatformSupport(
    Optional<Libc> libc,
    boolean fifo,
    boolean inotify,
    boolean procfs,
    WrapperScript wrapper,
    Duration net) {

  private static final Path PROC = Path.of("/proc");
  private static final Duration RESCAN_INTERVAL = Duration.ofSeconds(2);

  public static PlatformSupport ofThisSystem() {
    Optional<Libc> libc = Libc.load();
    boolean procfs = Files.exists(PROC.resolve("self/environ"));
    return new PlatformSupport(
        libc, libc.isPresent(), true, procfs, WrapperScript.ofThisSystem(), RESCAN_INTERVAL);
  }

  public PlatformSupport withoutFifo() {
    return new PlatformSupport(libc, false, inotify, procfs, wrapper, net);
  }

  public PlatformSupport withoutInotify() {
    return new PlatformSupport(libc, fifo, false, procfs, wrapper, net);
  }

  public PlatformSupport withoutSubreaper() {
    return new PlatformSupport(libc, fifo, inotify, procfs, wrapper.withoutSubreaper(), net);
  }

  /** Returns the features of a system other than Linux. */
  public PlatformSupport withoutLinux() {
    return new PlatformSupport(
        Optional.empty(), false, false, false, wrapper.withoutSubreaper(), net);
  }

  public PlatformSupport withNet(Duration often) {
    return new PlatformSupport(libc, fifo, inotify, procfs, wrapper, often);
  }

  public DirectoryWatcher folderWatch() {
    return inotify ? DirectoryWatcher.open(net) : DirectoryWatcher.openLooking(net);
  }

  public ProcessTable processTable() throws IOException {
    return procfs ? new ProcfsTable(PROC) : new HandleTable();
  }
}
