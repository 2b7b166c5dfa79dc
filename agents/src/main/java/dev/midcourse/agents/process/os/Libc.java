package dev.midcourse.agents.process.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.midcourse.agents.process.os.NativeFunctions.Function;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The functions of the C library on Linux that the JDK does not offer. The calls block at most for
 * the disk, because pipes are opened non-blocking. Every call returns its result, or the negated
 * {@code errno}.
 */
public final class Libc {

  public static final int ENOENT = 2;
  static final int EINTR = 4;
  public static final int ENXIO = 6;
  static final int EAGAIN = 11;
  public static final int ENOTDIR = 20;
  public static final int EPIPE = 32;

  public static final int SIGKILL = 9;
  public static final int SIGTERM = 15;
  public static final int SIGCONT = 18;

  private static final int O_RDONLY = 0;
  private static final int O_WRONLY = 1;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_PATH = 0x200000;
  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int FALLOC_FL_PUNCH_HOLE = 2;
  private static final int F_SETPIPE_SZ = 1031;
  private static final int F_GETPIPE_SZ = 1032;
  private static final long FIONREAD = 0x541B;
  private static final int OWNER_ONLY = 0600;

  /** The character set that the JDK uses for file names. */
  private static final Charset NAMES = Charset.forName(System.getProperty("sun.jnu.encoding"));

  private final int noFollow;
  private final int folder;
  private final Function open = new Function("open");
  private final Function openAt = new Function("openat");
  private final Function read = new Function("read");
  private final Function close = new Function("close");
  private final Function write = new Function("write");
  private final Function fcntl = new Function("fcntl");
  private final Function ioctl = new Function("ioctl");
  private final Function fallocate = new Function("fallocate");
  private final Function mkfifo = new Function("mkfifo");
  private final Function kill = new Function("kill");
  private final int pageSize = new Function("getpagesize").call();

  private Libc(int noFollow) {
    this.noFollow = noFollow;
    this.folder = noFollow / 2; // O_DIRECTORY is the bit below O_NOFOLLOW everywhere
  }

  /**
   * Returns the library on a Linux system whose constants are known and where native access is
   * allowed.
   */
  public static Optional<Libc> load() {
    if (!NativeFunctions.known()) {
      return Optional.empty();
    }
    int noFollow = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;
    try {
      return Optional.of(new Libc(noFollow));
    } catch (RuntimeException | LinkageError notAllowed) {
      return Optional.empty();
    }
  }

  public int pageSize() {
    return pageSize;
  }

  /**
   * Opens an existing FIFO for writing and does not follow a link. Fails with ENXIO when no process
   * has the FIFO open for reading.
   */
  public int openFifo(String path) {
    return openForWriting(path);
  }

  /** Opens an existing file for writing and does not follow a link. */
  public int openForWriting(String path) {
    int flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      return open.call(arena.allocateFrom(path).address(), flags);
    }
  }

  /**
   * Opens a folder as the base of {@code openat} calls. Follows a link. Fails if the path is not a
   * folder.
   */
  int openFolder(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      return open.call(name(arena, path.toString()), O_PATH | O_CLOEXEC | folder);
    }
  }

  /** Opens a folder in a folder and does not follow a link. Fails if the name is not a folder. */
  int openFolderIn(int descriptor, String name) {
    int flags = O_PATH | O_CLOEXEC | folder | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      return openAt.call(descriptor, name(arena, name), flags);
    }
  }

  /**
   * Opens a file in a folder for reading and does not follow a link. Never blocks, whatever the
   * type of the file.
   */
  int openFileIn(int descriptor, String name) {
    int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      return openAt.call(descriptor, name(arena, name), flags);
    }
  }

  private static long name(Arena arena, String name) {
    byte[] bytes = (name + "\0").getBytes(NAMES);
    return arena.allocateFrom(JAVA_BYTE, bytes).address();
  }

  /** Returns how many bytes were read into the array; 0 at the end of the file. */
  int read(int descriptor, byte[] bytes, int from) {
    int length = bytes.length - from;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      int result = read.call(descriptor, buffer.address(), length);
      if (result > 0) {
        MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, from, result);
      }
      return result;
    }
  }

  /**
   * Frees the disk space of a part of a file. The part then reads as zeros. The length of the file
   * stays the same.
   */
  public int punchHole(int descriptor, long from, long length) {
    return fallocate.call(descriptor, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, from, length);
  }

  public void close(int descriptor) {
    int _ = close.call(descriptor);
  }

  public int write(int descriptor, byte[] bytes, int from) {
    int length = bytes.length - from;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(length);
      MemorySegment.copy(MemorySegment.ofArray(bytes), from, buffer, 0, length);
      return write.call(descriptor, buffer.address(), length);
    }
  }

  public int pipeCapacity(int descriptor) {
    return fcntl.call(descriptor, F_GETPIPE_SZ, 0);
  }

  public int setPipeCapacity(int descriptor, int bytes) {
    return fcntl.call(descriptor, F_SETPIPE_SZ, bytes);
  }

  /** Returns how many bytes in the pipe are unread. */
  public int unread(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int result = ioctl.call(descriptor, FIONREAD, count.address());
      return result < 0 ? result : count.get(JAVA_INT, 0);
    }
  }

  public int mkfifo(String path) {
    try (Arena arena = Arena.ofConfined()) {
      return mkfifo.call(arena.allocateFrom(path).address(), OWNER_ONLY);
    }
  }

  /**
   * Sends a signal. A negative pid means a process group. Rejects 0, 1, -1 and the pid of this
   * process.
   */
  public int kill(long pid, int signal) {
    if (pid == 0 || pid == 1 || pid == -1 || pid == ProcessHandle.current().pid()) {
      throw new IllegalArgumentException("never to be signalled: " + pid);
    }
    int whom = Math.toIntExact(pid); // a truncated number could name another process
    return kill.call(whom, signal);
  }
}
