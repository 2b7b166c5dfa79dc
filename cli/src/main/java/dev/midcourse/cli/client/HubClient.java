package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.EventStream;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.net.HttpResponse;
import dev.midcourse.cli.net.HubConnection;
import dev.midcourse.cli.net.HubTimeoutException;
import dev.midcourse.cli.net.HubUnreachableException;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Client of the hub of one data folder. A refusal, a timeout or a missing hub is a {@link Failure}
 * with its exit code.
 */
public final class HubClient {
  public static final String SOCKET = "hub.sock";
  private static final String TOKEN = "token";
  public static final String LOG = "hub.log";
  private static final String API = "/api/v1";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MAX_LENGTH = Duration.ofMinutes(10);

  private final Path data;
  private final HubConnection connection;

  private HubClient(Path data, HubConnection connection) {
    this.data = data;
    this.connection = connection;
  }

  /**
   * Returns a client for this data folder. It does not connect; a missing hub fails the first
   * request.
   */
  public static HubClient at(Path data) {
    return new HubClient(data, HubConnection.unix(data.resolve(SOCKET), token(data)));
  }

  private static Optional<String> token(Path data) {
    try {
      String token = Files.readString(data.resolve(TOKEN)).strip();
      return token.isEmpty() || token.indexOf('\n') >= 0 ? Optional.empty() : Optional.of(token);
    } catch (IOException notThere) {
      return Optional.empty();
    }
  }

  public Path data() {
    return data;
  }

  /**
   * Returns the link that opens the hub's page in a browser. The token is in the fragment, which a
   * browser does not send to a server.
   */
  public Optional<String> pageLink(JsonValue.Obj health) {
    return health.text("url").flatMap(url -> token(data).map(token -> url + "/#token=" + token));
  }

  /** Returns the health document of the hub; empty if no hub is listening. */
  public Optional<JsonValue.Obj> health() {
    try {
      return Optional.of(call(HttpRequest.get(API + "/health"), TIMEOUT));
    } catch (HubUnreachableException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  public JsonValue.Obj get(String path) {
    return ask(HttpRequest.get(API + path), TIMEOUT);
  }

  /**
   * Sends a GET request that the hub answers within {@code atMost}; waits that long plus the usual
   * timeout.
   */
  public JsonValue.Obj getSlowly(String path, Duration atMost) {
    return ask(HttpRequest.get(API + path), atMost.plus(TIMEOUT));
  }

  public JsonValue.Obj post(String path, JsonValue.Obj body) {
    return ask(HttpRequest.send("POST", API + path, body.toString()), TIMEOUT);
  }

  /** Sends a POST request whose body is already JSON text. */
  public JsonValue.Obj postText(String path, String json) {
    return ask(HttpRequest.send("POST", API + path, json), TIMEOUT);
  }

  /**
   * Posts a message of another protocol and returns the response; empty if the response has no
   * body. Waits up to ten minutes.
   */
  public Optional<String> exchange(String path, String message) {
    try (HttpResponse answer =
        connection.ask(HttpRequest.send("POST", path, message), MAX_LENGTH)) {
      if (!answer.header("Content-Type").equals(Optional.of("application/json"))) {
        checked(answer, path); // a response of another type is an error of the hub
      }
      String text = answer.text();
      return text.isBlank() ? Optional.empty() : Optional.of(text);
    } catch (HubUnreachableException e) {
      throw absent();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  public JsonValue.Obj patch(String path, JsonValue.Obj body) {
    return ask(HttpRequest.send("PATCH", API + path, body.toString()), TIMEOUT);
  }

  /**
   * Sends a POST request whose body has an idempotency key. If the connection breaks, the request
   * is repeated until {@code atMost} has passed; the key keeps the hub from executing it twice.
   * Fails at once if no hub listens at the first try.
   */
  public JsonValue.Obj postWithKey(String path, JsonValue.Obj body, Duration atMost)
      throws InterruptedException {
    HttpRequest request = HttpRequest.send("POST", API + path, body.toString());
    long deadline = System.nanoTime() + atMost.toNanos();
    boolean sent = false;
    while (true) {
      try {
        return call(request, TIMEOUT);
      } catch (IOException e) {
        boolean neverThere = !sent && e instanceof HubUnreachableException;
        if (neverThere || System.nanoTime() > deadline) {
          throw neverThere ? absent() : broken(e);
        }
        sent = true;
        Thread.sleep(100);
      }
    }
  }

  /** Copies text that the hub streams, such as the output of an agent, to a stream. */
  public void copy(String path, OutputStream to) {
    try (HttpResponse answer = connection.ask(HttpRequest.get(API + path), TIMEOUT)) {
      checked(answer, path);
      InputStream body = answer.body();
      body.transferTo(to);
    } catch (HubUnreachableException e) {
      throw absent();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Opens an event stream; with an id, it begins after that event. */
  EventStream listen(String path, Optional<String> lastEventId) throws IOException {
    EventStream stream = connection.listen(HttpRequest.get(API + path), lastEventId);
    if (!stream.answer().ok()) {
      try (stream) {
        throw HubErrors.of(stream.answer().status(), stream.answer().text(), path);
      }
    }
    return stream;
  }

  private JsonValue.Obj ask(HttpRequest request, Duration patience) {
    try {
      return call(request, patience);
    } catch (HubUnreachableException e) {
      throw absent();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private JsonValue.Obj call(HttpRequest request, Duration patience) throws IOException {
    try (HttpResponse answer = connection.ask(request, patience)) {
      checked(answer, request.target());
      return JsonReader.readObject(answer.text());
    } catch (JsonException e) {
      throw Failure.of(
              ExitCode.FAILED,
              "invalid response from the hub: " + e.getMessage(),
              "check the version of the hub: midcourse doctor")
          .because(e);
    }
  }

  private static void checked(HttpResponse answer, String path) throws IOException {
    if (!answer.ok()) {
      throw HubErrors.of(answer.status(), answer.text(), path);
    }
  }

  Failure absent() {
    return Failure.of(
        ExitCode.NO_HUB, "no hub is running for " + data, "start one: midcourse serve");
  }

  private Failure broken(IOException e) {
    boolean late = e instanceof HubTimeoutException || e instanceof ClosedChannelException;
    String what = late ? "the hub does not respond" : "lost the connection to the hub";
    return Failure.of(ExitCode.NO_HUB, what, "see the log: " + data.resolve(LOG)).because(e);
  }
}
