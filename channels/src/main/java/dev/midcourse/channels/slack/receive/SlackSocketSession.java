package dev.midcourse.channels.slack.receive;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.http.SocketClosedException;
import dev.midcourse.channels.http.TextSocket;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackErrors;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Receives over a socket. Acknowledges an envelope when its update is durable. If Slack announces
 * that it will close the socket, another one is opened first.
 */
public final class SlackSocketSession {
  private static final Logger LOG = System.getLogger(SlackSocketSession.class.getName());
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final Duration SWAP_POLL_INTERVAL = Duration.ofMillis(50);
  private static final int MAX_ENVELOPE = 2 * 1024 * 1024;

  /** Slack sends a ping at least every 30 seconds. */
  public static final Duration MAX_SILENCE = Duration.ofSeconds(45);

  private final SlackClient client;
  private final ChannelSecret appToken;
  private final SlackUpdateReader reader;
  private final SlackIngest ingest;
  private final InstantSource clock;
  private final Duration maxSilence;
  private Optional<FutureTask<TextSocket>> next = Optional.empty();

  public SlackSocketSession(
      SlackClient client,
      ChannelSecret appToken,
      SlackUpdateReader reader,
      SlackIngest ingest,
      InstantSource clock,
      Duration maxSilence) {
    this.client = client;
    this.appToken = appToken;
    this.reader = reader;
    this.ingest = ingest;
    this.clock = clock;
    this.maxSilence = maxSilence;
  }

  /** What else the loop does between two messages. */
  public interface Interruption {
    /** Throws to end the session. */
    void check() throws Exception;
  }

  /** Opens a socket and returns when Slack has greeted. */
  public TextSocket open() throws Exception {
    SlackAnswer answer = client.call("apps.connections.open", Map.of(), appToken, CONNECT_TIMEOUT);
    if (!(answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _))
        || body.string("url").isEmpty()) {
      throw SlackErrors.connectionFailure(answer);
    }
    TextSocket socket =
        TextSocket.connect(
            client.http(), address(body.string("url").get()), CONNECT_TIMEOUT, MAX_ENVELOPE);
    boolean greeted = false;
    try {
      Optional<String> hello = socket.receive(CONNECT_TIMEOUT);
      if (hello.isEmpty()) {
        throw new IOException("Slack does not greet on the new socket");
      }
      requireHello(hello.get());
      greeted = true;
      return socket;
    } finally {
      if (!greeted) {
        socket.close();
      }
    }
  }

  private URI address(String url) throws IOException {
    URI address;
    try {
      address = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new IOException("Slack named no address for the socket", e);
    }
    if (!client.isOfSlack(address)) {
      throw new IOException("the address of the socket is not one of Slack");
    }
    return address;
  }

  private static void requireHello(String text) throws IOException {
    JsonValue.Obj hello = parse(text).orElse(JsonValue.Obj.EMPTY);
    if (!hello.string("type").equals(Optional.of("hello"))) {
      String reason = hello.string("reason").orElse("no greeting");
      throw new IOException(
          reason.equals("too_many_websockets")
              ? "the app has 10 open sockets already; end the other programs that use its token"
              : "Slack does not accept the socket: " + SlackText.cut(reason, 100));
    }
  }

  /** Receives until the session is no longer wanted. Closes the socket. */
  public void run(TextSocket first, ReceiveLoop.Connection connection, Interruption interruption)
      throws Exception {
    TextSocket socket = first;
    try {
      while (connection.isWanted()) {
        interruption.check();
        if (next.isPresent() && next.get().isDone()) {
          TextSocket old = socket;
          socket = opened(next.get());
          next = Optional.empty();
          leave(old);
        }
        if (!receive(socket)) {
          socket.close();
          socket = opened(next.orElseThrow());
          next = Optional.empty();
        }
      }
    } finally {
      socket.close();
      next.ifPresent(SlackSocketSession::discard);
    }
  }

  /** Receives one message if there is one; false if the socket is closed and another one comes. */
  private boolean receive(TextSocket socket) throws Exception {
    Duration wait = next.isPresent() ? SWAP_POLL_INTERVAL : POLL_INTERVAL;
    try {
      Optional<String> text = socket.receive(wait);
      if (text.isPresent()) {
        take(socket, text.get());
      } else if (socket.silence().compareTo(maxSilence) > 0) {
        throw new IOException("Slack was silent for " + maxSilence.toSeconds() + " s");
      }
      return true;
    } catch (SocketClosedException e) {
      if (next.isEmpty()) {
        throw e;
      }
      return false;
    }
  }

  /** Takes what is still on the old socket, and closes it. */
  private void leave(TextSocket old) throws Exception {
    try {
      for (Optional<String> text = old.receive(SWAP_POLL_INTERVAL);
          text.isPresent();
          text = old.receive(Duration.ZERO)) {
        take(old, text.get());
      }
    } catch (SocketClosedException closed) {
      LOG.log(Level.DEBUG, "Slack closed the old socket itself.");
    } finally {
      old.close();
    }
  }

  private static TextSocket opened(FutureTask<TextSocket> opening) throws Exception {
    try {
      return opening.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static void discard(FutureTask<TextSocket> opening) {
    if (!opening.cancel(true)) {
      try {
        opening.get().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException notOpened) {
        LOG.log(Level.DEBUG, "The next socket was not opened.");
      }
    }
  }

  private void take(TextSocket socket, String text)
      throws IOException, InterruptedException, PermanentFailureException {
    Optional<JsonValue.Obj> message = parse(text);
    if (message.isEmpty()) {
      LOG.log(Level.WARNING, "Slack sent a message that is not a JSON object; it is skipped.");
      return;
    }
    JsonValue.Obj envelope = message.get();
    if (envelope.string("type").equals(Optional.of("disconnect"))) {
      openNext(envelope.string("reason").orElse(""));
      return;
    }
    accept(envelope);
    Optional<String> id = envelope.string("envelope_id");
    if (id.isPresent()) {
      socket.send(JsonValue.object().with("envelope_id", id.get()).toString());
    }
  }

  private void accept(JsonValue.Obj envelope) throws PermanentFailureException {
    JsonValue.Obj payload = envelope.object("payload");
    switch (envelope.string("type").orElse("")) {
      case "events_api" -> ingest.accept(reader.event(payload));
      case "interactive" -> ingest.accept(reader.interaction(payload, clock.instant()));
      case "slash_commands" -> ingest.accept(reader.command(payload, clock.instant()));
      default -> LOG.log(Level.DEBUG, "Slack sent an envelope of an unknown type.");
    }
  }

  private void openNext(String reason) {
    if (next.isPresent()) {
      return;
    }
    LOG.log(Level.DEBUG, "Slack will close the socket ({0}); another one is opened first.", reason);
    FutureTask<TextSocket> opening = new FutureTask<>(this::open);
    next = Optional.of(opening);
    Thread.ofVirtual().name("slack-next-socket").start(opening);
  }

  private static Optional<JsonValue.Obj> parse(String text) {
    try {
      return Optional.of(JsonReader.readObject(text));
    } catch (JsonException notAnObject) {
      return Optional.empty();
    }
  }
}
