package dev.midcourse.hub.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The bytes of one connection, plain or encrypted. */
public interface Transport {

  /** Reads at least one byte; blocks until then. Returns -1 at the end of the input. */
  int read(ByteBuffer into) throws IOException;

  /** Sends at least one byte; blocks until then. */
  void write(ByteBuffer from) throws IOException;

  /** Announces the end of the output. */
  void finish() throws IOException;

  /** A connection without TLS. */
  record PlainTransport(SocketChannel channel) implements Transport {
    @Override
    public int read(ByteBuffer into) throws IOException {
      return channel.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
      int _ = channel.write(from);
    }

    @Override
    public void finish() throws IOException {
      channel.shutdownOutput();
    }
  }
}
