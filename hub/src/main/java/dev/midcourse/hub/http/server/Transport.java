package dev.midcourse.hub.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** How bytes go to a client and come from it. */
public interface Transport {

  /** Reads some bytes, waiting for the first; -1 when the client will send no more. */
  int read(ByteBuffer into) throws IOException;

  /** Sends at least one byte. */
  void write(ByteBuffer from) throws IOException;

  /** Says that nothing more will be sent. */
  void finish() throws IOException;

  /** As the bytes are, over the socket. */
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
