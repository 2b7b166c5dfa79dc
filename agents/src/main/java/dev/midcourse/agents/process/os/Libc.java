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
 * The few calls of the C library on Linux that the JDK does not offer. None of them can block but
 * for the disk: pipes are only ever opened non-blocking. Every call returns its result, or the
 * negated {@code errno}.
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

  /** As the names of files are written by the rest of the program. */
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

  /** The library, on a Linux whose constants are known and where native access is allowed. */
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

  /** Opens an existing FIFO for writing, not through a link; ENXIO when nobody reads it. */
  public int openFifo(String path) {
    return openForWriting(path);
  }

  /** Opens what exists, not through a link. */
  public int openForWriting(String path) {
    int flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      return open.call(arena.allocateFrom(path).address(), flags);
    }
  }

  /** Opens a folder to go on from; a link is followed here, and nothing but a folder is opened. */
  int openFolder(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      return open.call(name(arena, path.toString()), O_PATH | O_CLOEXEC | folder);
    }
  }

  /** Opens a folder in a folder, not through a link, and nothing but a folder. */
  int openFolderIn(int descriptor, String name) {
    int flags = O_PATH | O_CLOEXEC | folder | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      return openAt.call(descriptor, name(arena, name), flags);
    }
  }

  /** Opens a file in a folder for reading, not through a link, and whatever it is without delay. */
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

  /** How many bytes were read into the array, 0 at the end. */
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

  /** Gives the space of a part of a file back; the part reads as zeros, the file is as long. */
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

  /** How many bytes are in the pipe and not yet read. */
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

  /** A negative pid is a process group; what must never be hit is refused here once more. */
  public int kill(long pid, int signal) {
    if (pid == 0 || pid == 1 || pid == -1 || pid == ProcessHandle.current().pid()) {
      throw new IllegalArgumentException("never to be signalled: " + pid);
    }
    int whom = Math.toIntExact(pid); // what the kernel would cut off could hit somebody else
    return kill.call(whom, signal);
  }
}
