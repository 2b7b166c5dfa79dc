package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** A connection over a Unix socket. */
record ChannelLink(SocketChannel channel, InputStream in, OutputStream out) implements Link {

  static ChannelLink of(SocketChannel channel) {
    return new ChannelLink(
        channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException closed) {
      // There is nothing left to close.
    }
  }
}
