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
 * @param net how often everything is looked at for what no event tells
 */
record Means(
    Optional<Libc> libc, boolean fifo, boolean inotify, WrapperScript wrapper, Duration net) {

  private static final Path PROC = Path.of("/proc");
  private static final Duration NET = Duration.ofSeconds(2);

  static Means ofThisSystem() {
    Optional<Libc> libc = Libc.load();
    return new Means(libc, libc.isPresent(), true, WrapperScript.ofThisSystem(), NET);
  }

  Means withoutFifo() {
    return new Means(libc, false, inotify, wrapper, net);
  }

  Means withoutInotify() {
    return new Means(libc, fifo, false, wrapper, net);
  }

  Means withoutSubreaper() {
    return new Means(libc, fifo, inotify, wrapper.withoutSubreaper(), net);
  }

  Means withNet(Duration often) {
    return new Means(libc, fifo, inotify, wrapper, often);
  }

  FolderWatch folderWatch() {
    return inotify ? FolderWatch.open(net) : FolderWatch.openLooking(net);
  }

  static ProcessTable processTable() throws IOException {
    return Files.exists(PROC.resolve("self/stat")) ? new ProcfsTable(PROC) : new HandleTable();
  }
}
