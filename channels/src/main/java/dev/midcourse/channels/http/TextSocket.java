package dev.midcourse.channels.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A web socket with text messages, for blocking code. The next message is asked for when the one
 * before was taken, so that a slow reader slows the sender down.
 */
public final class TextSocket implements AutoCloseable {
  private static final int NORMAL_CLOSURE = 1_000;

  private final Inbox inbox;
  private final WebSocket socket;
  private final Duration timeout;

  private TextSocket(Inbox inbox, WebSocket socket, Duration timeout) {
    this.inbox = inbox;
    this.socket = socket;
    this.timeout = timeout;
  }

  /**
   * Connects.
   *
   * @param timeout for connecting and for each message that is sent
   * @param maxChars the greatest length of a message; a longer one closes the socket
   */
  public static TextSocket connect(PlatformClient client, URI to, Duration timeout, int maxChars)
      throws IOException, InterruptedException {
    Inbox inbox = new Inbox(maxChars);
    var connecting =
        client.client().newWebSocketBuilder().connectTimeout(timeout).buildAsync(to, inbox);
    try {
      WebSocket socket = connecting.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      socket.request(1);
      return new TextSocket(inbox, socket, timeout);
    } catch (TimeoutException e) {
      connecting.cancel(true);
      throw new PlatformException("no web socket within " + timeout.toSeconds() + " s", true);
    } catch (ExecutionException e) {
      throw client.failure(e);
    }
  }

  /**
   * Waits for the next message; empty if none came in this time.
   *
   * @throws SocketClosedException if the other side has closed, or the connection is lost
   */
  public Optional<String> receive(Duration wait)
      throws SocketClosedException, InterruptedException {
    return switch (inbox.received.poll(wait.toMillis(), TimeUnit.MILLISECONDS)) {
      case null -> Optional.empty();
      case Received.Text(String text) -> {
        socket.request(1);
        yield Optional.of(text);
      }
      case Received.End(int code, String reason) -> {
        inbox.received.add(new Received.End(code, reason));
        throw new SocketClosedException(code, reason);
      }
    };
  }

  /** The time since the other side was last heard of, by a message, a ping or a pong. */
  public Duration silence() {
    return Duration.ofNanos(System.nanoTime() - inbox.heardAt);
  }

  /** Sends one message; returns when it is handed to the system. Several threads may call it. */
  public synchronized void send(String text) throws IOException, InterruptedException {
    try {
      socket.sendText(text, true).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new PlatformException("the web socket takes no message", true);
    } catch (ExecutionException e) {
      throw new PlatformException("the web socket is closed", true);
    }
  }

  /** Closes with this code, without waiting for the other side. */
  public void close(int code) {
    if (!socket.isOutputClosed()) {
      var _ = socket.sendClose(code, "").orTimeout(1, TimeUnit.SECONDS);
    }
    // The other side may never answer the close; without this its connection would stay open.
    socket.abort();
  }

  @Override
  public void close() {
    close(NORMAL_CLOSURE);
  }

  private sealed interface Received {
    record Text(String text) implements Received {}

    record End(int code, String reason) implements Received {}
  }

  private static final class Inbox implements WebSocket.Listener {
    private static final int TOO_LONG = 1_009;
    private static final int LOST = 1_006;

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final StringBuilder fragments = new StringBuilder();
    private final int maxChars;
    private volatile long heardAt = System.nanoTime();

    private Inbox(int maxChars) {
      this.maxChars = maxChars;
    }

    @Override
    public void onOpen(WebSocket socket) {
      // The first message is requested when the socket is connected.
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      heardAt = System.nanoTime();
      if (fragments.length() + data.length() > maxChars) {
        received.add(new Received.End(TOO_LONG, "a message has over " + maxChars + " characters"));
        socket.abort();
        return null;
      }
      fragments.append(data);
      if (last) {
        received.add(new Received.Text(fragments.toString()));
        fragments.setLength(0);
      } else {
        socket.request(1);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
      heardAt = System.nanoTime();
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
      heardAt = System.nanoTime();
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      received.add(new Received.End(code, reason));
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      received.add(new Received.End(LOST, "the connection was lost"));
    }
  }
}
