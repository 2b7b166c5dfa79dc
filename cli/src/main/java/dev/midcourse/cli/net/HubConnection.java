package dev.midcourse.cli.net;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The address of the hub: a Unix socket that admits its owner only. Every request opens its own
 * connection, and fails if it is not answered in time.
 *
 * @param token for a system that does not identify the caller to the hub; read for each request,
 *     because a hub that starts again has another one
 */
public record HubConnection(UnixDomainSocketAddress address, Supplier<Optional<String>> token) {

  public static HubConnection unix(Path socket, Supplier<Optional<String>> token) {
    return new HubConnection(UnixDomainSocketAddress.of(socket), token);
  }

  /** Sends a request. The whole response must be read and closed within {@code timeout}. */
  public HttpResponse ask(HttpRequest request, Duration timeout) throws IOException {
    return ask(request, timeout, () -> {});
  }

  /** The same; {@code whenLate} is called on another thread if the response takes long. */
  public HttpResponse ask(HttpRequest request, Duration timeout, Runnable whenLate)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    ConnectionDeadline watchdog = ConnectionDeadline.over(channel, timeout, whenLate);
    try {
      connect(channel);
      send(channel, request, Optional.empty());
      return HttpResponse.read(
          new HttpInput(channel),
          () -> {
            watchdog.release();
            channel.close();
          });
    } catch (ClosedChannelException e) {
      throw new HubTimeoutException(timeout, e);
    } catch (IOException | RuntimeException e) {
      watchdog.release();
      channel.close();
      throw e;
    }
  }

  /** Opens an event stream, without a time limit. */
  public EventStream listen(HttpRequest request, Optional<String> lastEventId) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      connect(channel);
      send(channel, request, lastEventId);
      return new EventStream(HttpResponse.read(new HttpInput(channel), channel));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void connect(SocketChannel channel) throws IOException {
    try {
      channel.connect(address);
    } catch (SocketException e) {
      throw new HubUnreachableException(e);
    }
  }

  private void send(SocketChannel channel, HttpRequest request, Optional<String> lastEventId)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(request.bytes(token.get(), lastEventId));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
