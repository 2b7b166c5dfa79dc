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
 * A folder that others can write to, held open. To open it, or a file in it, neither follows a link
 * nor ever waits: the JDK would wait in {@code open} for as long as a FIFO that was put there has
 * no writer.
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
   * The folder so many steps below the root; nothing where the C library cannot be called.
   *
   * @param root a folder that is ours alone
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

  /** A path that leads to this folder and no other, while it is held. */
  public Path path() {
    return DESCRIPTORS.resolve(Integer.toString(descriptor));
  }

  /** What a file holds, at most so many bytes. */
  public byte[] read(String name, int most) throws IOException {
    int file = opened(libc.openFileIn(descriptor, name), name);
    try {
      byte[] bytes = new byte[most];
      int length = 0;
      while (length < most) {
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
