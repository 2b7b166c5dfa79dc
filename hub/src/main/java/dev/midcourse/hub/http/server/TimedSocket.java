package dev.midcourse.hub.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ServerConnectionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a client, with a deadline for each read and write: {@link #closeIfOverdue} closes a
 * client that is slow to send or to read. Holds no buffer while the connection is idle.
 */
public final class TimedSocket implements HelidonSocket {
  private static final int CHUNK_BYTES = 4 * 1024;
  private static final int MAX_WRITE = 64 * 1024;
  private static final long NO_DEADLINE = Long.MAX_VALUE;

  private final SocketChannel channel;
  private final Transport transport;
  private final Timeouts timeouts;
  private final String name;

  /**
   * The nanoTime of the first byte of the running request; 0 between requests. Used by one thread.
   */
  private long requestSince;

  /** The nanoTime since which the socket waits for the request that it receives or serves. */
  private volatile long waitsSince = System.nanoTime();

  private volatile boolean idle = true;
  private volatile boolean authenticated;
  private volatile long blockedUntil = NO_DEADLINE;
  private volatile boolean streaming;

  public TimedSocket(SocketChannel channel, Transport transport, Timeouts timeouts, String name) {
    this.channel = channel;
    this.transport = transport;
    this.timeouts = timeouts;
    this.name = name;
  }

  public SocketChannel channel() {
    return channel;
  }

  /** Records that the request is answered: the socket may now be idle. */
  public void answered() {
    requestSince = 0;
    waitsSince = System.nanoTime();
    idle = true;
  }

  /** Records that a request of this connection was authenticated. */
  public void authenticated() {
    authenticated = true;
  }

  boolean isAuthenticated() {
    return authenticated;
  }

  /** Returns how long the socket has been waiting for a request; 0 while it serves one. */
  long idleNanos(long now) {
    return idle ? Math.max(0, now - waitsSince) : 0;
  }

  /**
   * Records that the current response is a stream without an end. A shutdown does not wait for it.
   */
  public void streams() {
    streaming = true;
  }

  public boolean isStreaming() {
    return streaming;
  }

  /** Closes the socket if its current read or write has passed its deadline. */
  public void closeIfOverdue(long now) {
    // NO_DEADLINE first: it is no value of nanoTime and cannot be subtracted from one.
    long until = blockedUntil;
    if (until != NO_DEADLINE && now - until > 0) {
      closeQuietly();
    }
  }

  @Override
  public byte @Nullable [] get() {
    blockedUntil = readDeadline();
    try {
      ByteBuffer piece = ByteBuffer.allocate(CHUNK_BYTES);
      int count = transport.read(piece);
      if (count < 0) {
        return null;
      }
      if (requestSince == 0) {
        requestSince = System.nanoTime();
        idle = false;
      }
      return Arrays.copyOf(piece.array(), count);
    } catch (IOException e) {
      throw new ServerConnectionException("the client went away", e);
    } finally {
      blockedUntil = NO_DEADLINE;
    }
  }

  /** A client that has not authenticated may neither wait nor send for long. */
  private long readDeadline() {
    long now = System.nanoTime();
    long left =
        requestSince == 0
            ? timeouts.idle().toNanos()
            : requestSince + timeouts.request().toNanos() - now;
    long unauthenticatedLeft = waitsSince + timeouts.unauthenticated().toNanos() - now;
    return now + (authenticated ? left : Math.min(left, unauthenticatedLeft));
  }

  @Override
  public void write(BufferData buffer) {
    byte[] bytes = new byte[Math.min(buffer.available(), MAX_WRITE)];
    try {
      while (!buffer.consumed()) {
        int count = buffer.read(bytes);
        ByteBuffer piece = ByteBuffer.wrap(bytes, 0, count);
        while (piece.hasRemaining()) {
          blockedUntil = System.nanoTime() + timeouts.write().toNanos();
          transport.write(piece);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      blockedUntil = NO_DEADLINE;
    }
  }

  /**
   * Announces the end of the output and reads the remaining input up to a limit, because closing
   * with unread input would reset the connection and could lose the last response.
   */
  @Override
  public void close() {
    try (channel) {
      transport.finish();
      ByteBuffer scrap = ByteBuffer.allocate(CHUNK_BYTES);
      long left = timeouts.maxToDrain();
      blockedUntil = System.nanoTime() + timeouts.drain().toNanos();
      for (int n = channel.read(scrap); n > 0 && left > 0; n = channel.read(scrap)) {
        left -= n;
        scrap.clear();
      }
    } catch (IOException gone) {
      // The client is gone.
    }
  }

  /** Closes the socket. A failure to close has no consequence and is ignored. */
  public void closeQuietly() {
    try {
      channel.close();
    } catch (IOException gone) {
      // The channel is closed either way.
    }
  }

  @Override
  public void idle() {}

  @Override
  public boolean isConnected() {
    return channel.isOpen();
  }

  @Override
  @Deprecated
  @SuppressWarnings("removal")
  public int read(BufferData buffer) {
    throw new UnsupportedOperationException("nobody calls this");
  }

  @Override
  public PeerInfo remotePeer() {
    return new Peer(name);
  }

  @Override
  public PeerInfo localPeer() {
    return new Peer(name);
  }

  @Override
  public boolean isSecure() {
    return false;
  }

  @Override
  public String socketId() {
    return name;
  }

  @Override
  public String childSocketId() {
    return Integer.toHexString(System.identityHashCode(channel));
  }

  /**
   * The time limits of a client.
   *
   * @param unauthenticated from the connection, or from an answer, to the end of the header of an
   *     authenticated request
   * @param idle between two requests, after an authenticated one
   * @param request from the first byte of a request to its last
   * @param write to make room for the next piece of an answer
   * @param drain to stop sending after we said goodbye
   */
  public record Timeouts(
      Duration unauthenticated,
      Duration idle,
      Duration request,
      Duration write,
      Duration drain,
      long maxToDrain) {
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            16L * 1024 * 1024);
  }

  /** Helidon requires a peer but does not read it. An {@link Authenticator} identifies callers. */
  private record Peer(String host) implements PeerInfo {
    @Override
    public SocketAddress address() {
      throw new UnsupportedOperationException("not known by its address");
    }

    @Override
    public int port() {
      return -1;
    }

    @Override
    public Optional<Principal> tlsPrincipal() {
      return Optional.empty();
    }

    @Override
    public Optional<Certificate[]> tlsCertificates() {
      return Optional.empty();
    }
  }
}
