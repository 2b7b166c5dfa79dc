package dev.midcourse.hub.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A connection with TLS. The handshake is part of the first read and has its timeout. Not
 * thread-safe.
 */
public final class TlsTransport implements Transport {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;

  /** Received bytes that are not decrypted yet; in write mode. */
  private final ByteBuffer received;

  /** Decrypted bytes that are not read yet. */
  private ByteBuffer clear = NOTHING;

  public TlsTransport(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    this.received = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.setUseClientMode(false);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    while (!clear.hasRemaining()) {
      if (!decipher()) {
        return -1;
      }
    }
    int count = Math.min(clear.remaining(), into.remaining());
    into.put(clear.slice(clear.position(), count));
    clear.position(clear.position() + count);
    return count;
  }

  /** Takes one step to decrypted data. Returns false at the end of the data. */
  private boolean decipher() throws IOException {
    ByteBuffer room = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    received.flip();
    SSLEngineResult result = engine.unwrap(received, room);
    received.compact();
    clear = room.flip();
    boolean more = answerIfAsked(result.getHandshakeStatus());
    return switch (result.getStatus()) {
      case OK, BUFFER_OVERFLOW -> true;
      case BUFFER_UNDERFLOW -> more || channel.read(received) >= 0;
      case CLOSED -> false;
    };
  }

  /** Does the tasks of the handshake. Returns whether there were any. */
  private boolean answerIfAsked(HandshakeStatus first) throws IOException {
    HandshakeStatus status = first;
    boolean done = false;
    while (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP) {
      done = true;
      if (status == HandshakeStatus.NEED_WRAP && !send(NOTHING)) {
        return false;
      }
      for (Runnable task = engine.getDelegatedTask();
          task != null;
          task = engine.getDelegatedTask()) {
        task.run();
      }
      status = engine.getHandshakeStatus();
    }
    return done;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    if (!send(from)) {
      throw new IOException("the client has ended the talk");
    }
  }

  private boolean send(ByteBuffer from) throws IOException {
    ByteBuffer packet = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    SSLEngineResult result = engine.wrap(from, packet);
    packet.flip();
    while (packet.hasRemaining()) {
      int _ = channel.write(packet);
    }
    return result.getStatus() == SSLEngineResult.Status.OK;
  }

  @Override
  public void finish() throws IOException {
    engine.closeOutbound();
    while (!engine.isOutboundDone() && send(NOTHING)) {
      // Until close_notify is sent.
    }
    channel.shutdownOutput();
  }
}
