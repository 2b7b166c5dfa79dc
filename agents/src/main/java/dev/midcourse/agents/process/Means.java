package dev.midcourse.agents.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What this system offers for hosting programs; each can be taken away to do without it.
 *
 * @param fifo whether inputs may be FIFOs, so that programs outlive us
 * @param inotify whether folders may be watched
 * @param procfs whether processes show in {@code /proc}
 * @param net how often everything is looked at for what no event tells
 */
record Means(
    Optional<Libc> libc,
    boolean fifo,
    boolean inotify,
    boolean procfs,
    WrapperScript wrapper,
    Duration net) {

  private static final Path PROC = Path.of("/proc");
  private static final Duration NET = Duration.ofSeconds(2);

  static Means ofThisSystem() {
    Optional<Libc> libc = Libc.load();
    boolean procfs = Files.exists(PROC.resolve("self/environ"));
    return new Means(libc, libc.isPresent(), true, procfs, WrapperScript.ofThisSystem(), NET);
  }

  Means withoutFifo() {
    return new Means(libc, false, inotify, procfs, wrapper, net);
  }

  Means withoutInotify() {
    return new Means(libc, fifo, false, procfs, wrapper, net);
  }

  Means withoutSubreaper() {
    return new Means(libc, fifo, inotify, procfs, wrapper.withoutSubreaper(), net);
  }

  /** As on a system that is no Linux. */
  Means withoutLinux() {
    return new Means(Optional.empty(), false, false, false, wrapper.withoutSubreaper(), net);
  }

  Means withNet(Duration often) {
    return new Means(libc, fifo, inotify, procfs, wrapper, often);
  }

  FolderWatch folderWatch() {
    return inotify ? FolderWatch.open(net) : FolderWatch.openLooking(net);
  }

  ProcessTable processTable() throws IOException {
    return procfs ? new ProcfsTable(PROC) : new HandleTable();
  }
}
