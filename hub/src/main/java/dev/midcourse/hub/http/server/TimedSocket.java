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
  private static final int PIECE = 4 * 1024;
  private static final int MAX_WRITE = 64 * 1024;
  private static final long NO_DEADLINE = Long.MAX_VALUE;

  private final SocketChannel channel;
  private final Transport transport;
  private final Timeouts patience;
  private final String name;

  /** When the running request began to arrive; 0 between requests. Used by one thread. */
  private long requestSince;

  private volatile long blockedUntil = NO_DEADLINE;
  private volatile boolean streaming;

  public TimedSocket(SocketChannel channel, Transport transport, Timeouts patience, String name) {
    this.channel = channel;
    this.transport = transport;
    this.patience = patience;
    this.name = name;
  }

  public SocketChannel channel() {
    return channel;
  }

  /** The request has been answered: from now on the socket may be idle. */
  public void answered() {
    requestSince = 0;
  }

  /** What is being answered has no end of its own: it need not be waited for. */
  public void streams() {
    streaming = true;
  }

  public boolean isStreaming() {
    return streaming;
  }

  public void closeIfOverdue(long now) {
    // NO_DEADLINE first: the difference of two nanoTime values says nothing about it.
    long until = blockedUntil;
    if (until != NO_DEADLINE && now - until > 0) {
      closeQuietly();
    }
  }

  @Override
  public byte @Nullable [] get() {
    long now = System.nanoTime();
    blockedUntil =
        requestSince == 0
            ? now + patience.idle().toNanos()
            : requestSince + patience.request().toNanos();
    try {
      ByteBuffer piece = ByteBuffer.allocate(PIECE);
      int count = transport.read(piece);
      if (count < 0) {
        return null;
      }
      if (requestSince == 0) {
        requestSince = System.nanoTime();
      }
      return Arrays.copyOf(piece.array(), count);
    } catch (IOException e) {
      throw new ServerConnectionException("the client went away", e);
    } finally {
      blockedUntil = NO_DEADLINE;
    }
  }

  @Override
  public void write(BufferData buffer) {
    byte[] bytes = new byte[Math.min(buffer.available(), MAX_WRITE)];
    try {
      while (!buffer.consumed()) {
        int count = buffer.read(bytes);
        ByteBuffer piece = ByteBuffer.wrap(bytes, 0, count);
        while (piece.hasRemaining()) {
          blockedUntil = System.nanoTime() + patience.write().toNanos();
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
   * Says goodbye first and reads what is still coming, up to a limit, so that the last answer is
   * not lost in a reset.
   */
  @Override
  public void close() {
    try (channel) {
      transport.finish();
      ByteBuffer scrap = ByteBuffer.allocate(PIECE);
      long left = patience.mostToDrain();
      blockedUntil = System.nanoTime() + patience.drain().toNanos();
      for (int n = channel.read(scrap); n > 0 && left > 0; n = channel.read(scrap)) {
        left -= n;
        scrap.clear();
      }
    } catch (IOException gone) {
      // There is nobody to be polite to.
    }
  }

  public void closeQuietly() {
    try {
      channel.close();
    } catch (IOException gone) {
      // That is what we wanted.
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
   * How long a client may take.
   *
   * @param idle between two requests
   * @param request from the first byte of a request to its last
   * @param write to make room for the next piece of an answer
   * @param drain to stop sending after we said goodbye
   */
  public record Timeouts(
      Duration idle, Duration request, Duration write, Duration drain, long mostToDrain) {
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            16L * 1024 * 1024);
  }

  /** Nothing asks for these; who calls is found out in another way. */
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
