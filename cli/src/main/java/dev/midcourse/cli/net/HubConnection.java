package dev.midcourse.cli.net;

import java.io.IOException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The address of the hub: a Unix socket that admits its owner only. Every request opens its own
 * connection, and fails if it is not answered in time.
 *
 * @param token for a system that does not tell the hub who calls
 */
public record HubConnection(UnixDomainSocketAddress address, Optional<String> token) {

  public static HubConnection unix(Path socket, Optional<String> token) {
    return new HubConnection(UnixDomainSocketAddress.of(socket), token);
  }

  /** Sends a request. The whole response must be read and closed within {@code patience}. */
  public HttpResponse ask(HttpRequest request, Duration patience) throws IOException {
    SocketChannel channel = connect();
    ConnectionDeadline watchdog = ConnectionDeadline.over(channel, patience);
    try {
      send(channel, request, Optional.empty());
      return HttpResponse.read(
          new HttpInput(channel),
          () -> {
            watchdog.release();
            channel.close();
          });
    } catch (ClosedChannelException e) {
      throw new HubTimeoutException(patience, e);
    } catch (IOException | RuntimeException e) {
      watchdog.release();
      channel.close();
      throw e;
    }
  }

  /** Opens an event stream, without a time limit. */
  public EventStream listen(HttpRequest request, Optional<String> lastEventId) throws IOException {
    SocketChannel channel = connect();
    try {
      send(channel, request, lastEventId);
      return new EventStream(HttpResponse.read(new HttpInput(channel), channel));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private SocketChannel connect() throws IOException {
    try {
      return SocketChannel.open(address);
    } catch (SocketException e) {
      throw new HubUnreachableException(e);
    }
  }

  private void send(SocketChannel channel, HttpRequest request, Optional<String> lastEventId)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(request.bytes(token, lastEventId));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
