package dev.midcourse.agents.process.os;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An open handle of a folder that other processes can write to. Opening the folder, or a file in
 * it, never follows a link and never blocks. The JDK would block in {@code open} on a FIFO until
 * the FIFO has a writer.
 */
public final class NoFollowDirectory implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Optional<Libc> LIBC =
      Files.isDirectory(DESCRIPTORS) ? Libc.load() : Optional.empty();

  private final Libc libc;
  private final int descriptor;

  private NoFollowDirectory(Libc libc, int descriptor) {
    this.libc = libc;
    this.descriptor = descriptor;
  }

  /**
   * Opens the folder that the steps name below the root. Returns empty where the C library cannot
   * be called.
   *
   * @param root a folder that only this user can write to; a link at this path is followed
   */
  public static Optional<NoFollowDirectory> open(Path root, List<String> steps) throws IOException {
    if (LIBC.isEmpty()) {
      return Optional.empty();
    }
    Libc libc = LIBC.get();
    int at = opened(libc.openFolder(root), root.toString());
    for (String step : steps) {
      int next = libc.openFolderIn(at, step);
      libc.close(at);
      at = opened(next, step);
    }
    return Optional.of(new NoFollowDirectory(libc, at));
  }

  private static int opened(int result, String name) throws IOException {
    if (result == -Libc.ENOENT) {
      throw new NoSuchFileException(name);
    }
    if (result < 0) {
      throw new FileSystemException(name, null, "it cannot be opened: error " + -result);
    }
    return result;
  }

  /** Returns a path that leads to exactly this folder while the handle is open. */
  public Path path() {
    return DESCRIPTORS.resolve(Integer.toString(descriptor));
  }

  /** Returns the content of a file, at most {@code max} bytes. */
  public byte[] read(String name, int max) throws IOException {
    int file = opened(libc.openFileIn(descriptor, name), name);
    try {
      byte[] bytes = new byte[max];
      int length = 0;
      while (length < max) {
        int more = libc.read(file, bytes, length);
        if (more < 0 && more != -Libc.EINTR && more != -Libc.EAGAIN) {
          throw new FileSystemException(name, null, "it cannot be read: error " + -more);
        }
        if (more == 0 || more == -Libc.EAGAIN) {
          break;
        }
        length += Math.max(more, 0);
      }
      return Arrays.copyOf(bytes, length);
    } finally {
      libc.close(file);
    }
  }

  @Override
  public void close() {
    libc.close(descriptor);
  }
}
