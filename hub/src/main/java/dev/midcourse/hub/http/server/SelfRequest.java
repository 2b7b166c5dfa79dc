package dev.midcourse.hub.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * A request of the hub to one of its own endpoints, over the whole way that a client's request
 * takes. It needs no token: a refusal shows as well as an answer that the endpoint works.
 */
public record SelfRequest(SocketAddress address, Optional<TlsSettings> tls) {
  public static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final byte[] REQUEST =
      "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          .getBytes(US_ASCII);
  private static final Pattern ANSWERED = Pattern.compile("HTTP/1\\.1 [24]\\d\\d ");

  /**
   * Waits for the answer of the endpoint. Fails if there is none, or if it reports an internal
   * error.
   */
  public void send() throws IOException {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread client =
        Thread.ofVirtual()
            .name("self-request")
            .start(() -> {
              try {
                answer.complete(exchange());
              } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
              }
            });
    try {
      String start = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      if (!ANSWERED.matcher(start).lookingAt()) {
        throw new IOException("it answered itself: " + start.lines().findFirst().orElse("nothing"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("it did not answer itself within " + TIMEOUT.toSeconds() + " s", e);
    } finally {
      client.interrupt();
    }
  }

  private String exchange() throws IOException {
    if (address instanceof UnixDomainSocketAddress) {
      try (SocketChannel channel = SocketChannel.open(address)) {
        ByteBuffer request = ByteBuffer.wrap(REQUEST);
        while (request.hasRemaining()) {
          int _ = channel.write(request);
        }
        return read(Channels.newInputStream(channel));
      }
    }
    try (Socket socket = connect((InetSocketAddress) address)) {
      socket.getOutputStream().write(REQUEST);
      return read(socket.getInputStream());
    }
  }

  private Socket connect(InetSocketAddress bound) throws IOException {
    InetAddress host =
        bound.getAddress().isAnyLocalAddress()
            ? InetAddress.getLoopbackAddress()
            : bound.getAddress();
    return tls.isPresent()
        ? tls.get().trusting().getSocketFactory().createSocket(host, bound.getPort())
        : new Socket(host, bound.getPort());
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), US_ASCII);
  }
}
