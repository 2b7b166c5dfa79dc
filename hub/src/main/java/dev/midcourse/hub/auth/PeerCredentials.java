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
import java.util.Optional;

/**
 * Asks the Linux kernel which process opened the other end of a Unix socket. The kernel noted it
 * when that process connected; nothing the process says or does can change it.
 *
 * <p>The JDK's own {@code SO_PEERCRED} tells user and group but not the process, so the call is
 * made on the socket's descriptor. To learn that number the JVM has to be started with {@value
 * #EXPORT}.
 */
public final class PeerCredentials {
  /** Without this option no process can be told, and everybody needs the token. */
  public static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

  private static final Logger LOG = System.getLogger(PeerCredentials.class.getName());
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int CREDENTIALS_BYTES = 12;

  private final MethodHandle descriptorOf;
  private final NativeFunctions.Function getsockopt = new NativeFunctions.Function("getsockopt");

  private PeerCredentials(MethodHandle descriptorOf) {
    this.descriptorOf = descriptorOf;
  }

  /** A process and its user. */
  record Peer(long pid, int user) {}

  /** Empty where the kernel cannot be asked. */
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

  Optional<Peer> of(SocketChannel channel) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) descriptorOf.invokeExact(channel);
      MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, JAVA_INT.byteAlignment());
      MemorySegment length = arena.allocateFrom(JAVA_INT, CREDENTIALS_BYTES);
      int result =
          getsockopt.call(
              descriptor, SOL_SOCKET, SO_PEERCRED, credentials.address(), length.address());
      int pid = credentials.getAtIndex(JAVA_INT, 0);
      boolean told = result == 0 && length.get(JAVA_INT, 0) == CREDENTIALS_BYTES && pid > 0;
      return told
          ? Optional.of(new Peer(pid, credentials.getAtIndex(JAVA_INT, 1)))
          : Optional.empty();
    } catch (Throwable e) {
      throw new IllegalStateException("getsockopt", e);
    }
  }
}
