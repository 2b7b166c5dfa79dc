package dev.midcourse.hub.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A line with TLS. The greeting is part of the first read, and as patient as that; the engine
 * itself never waits. For one thread at a time.
 */
public final class TlsTransport implements Transport {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;

  /** What came and is not deciphered yet, to be filled further. */
  private final ByteBuffer received;

  /** What is deciphered and not read yet. */
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

  /** A step towards something to read; false when nothing will come. */
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

  /** Does the engine's own part of the talk; whether there was anything to do. */
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
      // Until the farewell is sent.
    }
    channel.shutdownOutput();
  }
}
