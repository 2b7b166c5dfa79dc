package dev.midcourse.hub.auth;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.midcourse.agents.process.os.NativeFunctions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Asks the Linux kernel which process opened the other end of a Unix socket. The kernel noted it
 * when that process connected; nothing the process says or does can change it. Linux 6.5 and newer
 * give a descriptor of that process, which no other process ever gets; older ones only its number.
 *
 * <p>The JDK's own {@code SO_PEERCRED} tells user and group but not the process, so the call is
 * made on the socket's descriptor. To learn that number the JVM has to be started with {@value
 * #EXPORT}.
 */
public final class PeerCredentials {
  /** The option that the JVM needs. Without it every caller of the socket needs the token. */
  public static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

  private static final Logger LOG = System.getLogger(PeerCredentials.class.getName());
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int SO_PEERPIDFD = 77;
  private static final int ENOPROTOOPT = 92;
  private static final int CREDENTIALS_BYTES = 12;
  private static final Path PROC = Path.of("/proc");

  private final MethodHandle descriptorOf;
  private final NativeFunctions.Function getsockopt = new NativeFunctions.Function("getsockopt");
  private final NativeFunctions.Function close = new NativeFunctions.Function("close");

  private PeerCredentials(MethodHandle descriptorOf) {
    this.descriptorOf = descriptorOf;
  }

  /** Empty if the kernel does not offer this. */
  public static Optional<PeerCredentials> ofThisSystem() {
    if (!NativeFunctions.known()) {
      return Optional.empty();
    }
    try {
      Class<?> channel = Class.forName("sun.nio.ch.SelChImpl");
      MethodHandle descriptorOf =
          MethodHandles.lookup()
              .unreflect(channel.getMethod("getFDVal"))
              .asType(MethodType.methodType(int.class, SocketChannel.class));
      return Optional.of(new PeerCredentials(descriptorOf));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.log(
          Level.WARNING,
          "The processes of callers cannot be identified here ({0}); callers of the socket need the token.",
          e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns the process that connected; empty if the kernel does not name it or it has ended. */
  Optional<PeerProcess> of(SocketChannel channel) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) descriptorOf.invokeExact(channel);
      MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, JAVA_INT.byteAlignment());
      int pid =
          option(arena, descriptor, SO_PEERCRED, credentials) == 0
              ? credentials.get(JAVA_INT, 0)
              : 0;
      if (pid <= 0) {
        return Optional.empty();
      }
      int user = credentials.getAtIndex(JAVA_INT, 1);
      MemorySegment process = arena.allocate(JAVA_INT);
      int result = option(arena, descriptor, SO_PEERPIDFD, process);
      if (result == 0) {
        return Optional.of(new PeerProcess(pid, user, descriptor(process.get(JAVA_INT, 0))));
      }
      return result == -ENOPROTOOPT
          ? Optional.of(new PeerProcess(pid, user, PeerProcess.startTime(PROC, pid)))
          : Optional.empty();
    } catch (Throwable e) {
      throw new IllegalStateException("getsockopt", e);
    }
  }

  private PeerProcess.Handle descriptor(int number) {
    return new PeerProcess.Handle.Descriptor(PROC, number, closed -> close.call(closed));
  }

  private int option(Arena arena, int socket, int name, MemorySegment value) {
    int size = Math.toIntExact(value.byteSize());
    MemorySegment length = arena.allocateFrom(JAVA_INT, size);
    int result = getsockopt.call(socket, SOL_SOCKET, name, value.address(), length.address());
    return result == 0 && length.get(JAVA_INT, 0) != size ? -ENOPROTOOPT : result;
  }
}
