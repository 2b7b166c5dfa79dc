package dev.midcourse.agents.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * The few calls of the C library on Linux that the JDK does not offer. None of them can block but
 * for the disk: pipes are only ever opened non-blocking. Every call returns its result, or the
 * negated {@code errno}.
 */
@SuppressWarnings("restricted")
final class Libc {

  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int ENXIO = 6;
  static final int EAGAIN = 11;
  static final int ENOTDIR = 20;
  static final int EPIPE = 32;

  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final int SIGCONT = 18;

  private static final int O_WRONLY = 1;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int FALLOC_FL_PUNCH_HOLE = 2;
  private static final int F_SETPIPE_SZ = 1031;
  private static final int F_GETPIPE_SZ = 1032;
  private static final long FIONREAD = 0x541B;
  private static final int OWNER_ONLY = 0600;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final int noFollow;
  private final int pageSize;
  private final MethodHandle open = call("open", 2, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle close = call("close", -1, JAVA_INT, JAVA_INT);
  private final MethodHandle write = call("write", -1, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private final MethodHandle fcntl = call("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private final MethodHandle ioctl = call("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
  private final MethodHandle fallocate =
      call("fallocate", -1, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private final MethodHandle mkfifo = call("mkfifo", -1, JAVA_INT, ADDRESS, JAVA_INT);
  private final MethodHandle kill = call("kill", -1, JAVA_INT, JAVA_INT, JAVA_INT);

  private Libc(int noFollow) {
    this.noFollow = noFollow;
    try {
      MethodHandle getpagesize =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("getpagesize"), FunctionDescriptor.of(JAVA_INT));
      this.pageSize = (int) getpagesize.invokeExact();
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The library, on a Linux whose constants are known and where native access is allowed. */
  static Optional<Libc> load() {
    if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
      return Optional.empty();
    }
    int noFollow =
        switch (System.getProperty("os.arch", "")) {
          case "amd64", "x86_64", "riscv64" -> 0x20000;
          case "aarch64" -> 0x8000;
          default -> 0;
        };
    try {
      return noFollow == 0 ? Optional.empty() : Optional.of(new Libc(noFollow));
    } catch (RuntimeException | LinkageError notAllowed) {
      return Optional.empty();
    }
  }

  int pageSize() {
    return pageSize;
  }

  /** Opens an existing FIFO for writing, not through a link; ENXIO when nobody reads it. */
  int openFifo(String path) {
    return openForWriting(path);
  }

  /** Opens what exists, not through a link. */
  int openForWriting(String path) {
    int flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | noFollow;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(state, (int) open.invokeExact(state, arena.allocateFrom(path), flags));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Gives the space of a part of a file back; the part reads as zeros, the file is as long. */
  int punchHole(int descriptor, long from, long length) {
    int mode = FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(state, (int) fallocate.invokeExact(state, descriptor, mode, from, length));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  void close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) close.invokeExact(arena.allocate(STATE), descriptor);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  int write(int descriptor, byte[] bytes, int from) {
    int length = bytes.length - from;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment buffer = arena.allocate(length);
      MemorySegment.copy(MemorySegment.ofArray(bytes), from, buffer, 0, length);
      return result(
          state, (int) (long) write.invokeExact(state, descriptor, buffer, (long) length));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  int pipeCapacity(int descriptor) {
    return fcntl(descriptor, F_GETPIPE_SZ, 0);
  }

  int setPipeCapacity(int descriptor, int bytes) {
    return fcntl(descriptor, F_SETPIPE_SZ, bytes);
  }

  private int fcntl(int descriptor, int command, int argument) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(state, (int) fcntl.invokeExact(state, descriptor, command, argument));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** How many bytes are in the pipe and not yet read. */
  int unread(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment count = arena.allocate(JAVA_INT);
      int result = result(state, (int) ioctl.invokeExact(state, descriptor, FIONREAD, count));
      return result < 0 ? result : count.get(JAVA_INT, 0);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  int mkfifo(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(state, (int) mkfifo.invokeExact(state, arena.allocateFrom(path), OWNER_ONLY));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A negative pid is a process group; what must never be hit is refused here once more. */
  int kill(long pid, int signal) {
    if (pid == 0 || pid == 1 || pid == -1 || pid == ProcessHandle.current().pid()) {
      throw new IllegalArgumentException("never to be signalled: " + pid);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(state, (int) kill.invokeExact(state, Math.toIntExact(pid), signal));
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static int result(MemorySegment state, int value) {
    return value < 0 ? -(int) ERRNO.get(state, 0L) : value;
  }

  private static MethodHandle call(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
    Linker.Option errno = Linker.Option.captureCallState("errno");
    Linker.Option[] options =
        firstVariadic < 0
            ? new Linker.Option[] {errno}
            : new Linker.Option[] {errno, Linker.Option.firstVariadicArg(firstVariadic)};
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        options);
  }
}
