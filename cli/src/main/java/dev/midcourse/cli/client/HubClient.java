package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.EventStream;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.net.HttpResponse;
import dev.midcourse.cli.net.HubConnection;
import dev.midcourse.cli.net.HubTimeoutException;
import dev.midcourse.cli.net.HubUnreachableException;
import dev.midcourse.cli.screen.ShellContext;
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

  /** Longer than a tool of the hub waits for the answer of a person. */
  private static final Duration TOOL_TIMEOUT = Duration.ofMinutes(65);

  private final Path data;
  private final HubConnection connection;
  private final Optional<Starter> starter;

  /** Is called when a response is late that a hub sends at once. */
  private final Runnable whenLate;

  /** Starts the hub of the data folder. */
  interface Starter {
    /** Returns when a hub answers; fails if none can be started. */
    void start();
  }

  private HubClient(
      Path data, HubConnection connection, Runnable whenLate, Optional<Starter> starter) {
    this.data = data;
    this.connection = connection;
    this.whenLate = whenLate;
    this.starter = starter;
  }

  /** Returns a client that tells the user once when the hub does not answer. */
  public static HubClient of(ShellContext shell) {
    return at(shell.data(), new LateHubNotice(shell));
  }

  /** Returns the same client for a view that owns the screen: it tells nothing. */
  public HubClient withoutNotices() {
    return new HubClient(data, connection, () -> {}, starter);
  }

  /**
   * Returns a client for this data folder. It does not connect; a missing hub fails the first
   * request.
   */
  public static HubClient at(Path data) {
    return at(data, () -> {});
  }

  private static HubClient at(Path data, Runnable whenLate) {
    return new HubClient(
        data,
        HubConnection.unix(data.resolve(SOCKET), () -> readToken(data)),
        whenLate,
        Optional.empty());
  }

  /** Returns a copy that starts a hub, and repeats its request, when no hub is listening. */
  HubClient startedBy(Starter other) {
    return new HubClient(data, connection, whenLate, Optional.of(other));
  }

  /** Returns the token of programs, which changes when the hub starts again. */
  public Optional<String> token() {
    return readToken(data);
  }

  private static Optional<String> readToken(Path data) {
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
   * Returns a link that signs a browser in at the hub's page, once and within one minute; empty if
   * this caller may not make one. The code is in the fragment, which a browser sends to no server.
   */
  public Optional<String> pageLink() {
    try {
      return post("/sign-in-codes", JsonValue.Obj.EMPTY).text("link");
    } catch (Failure notAllowed) {
      return Optional.empty();
    }
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
    try (HttpResponse answer = open(HttpRequest.send("POST", path, message), TOOL_TIMEOUT)) {
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

  public JsonValue.Obj delete(String path) {
    return ask(new HttpRequest("DELETE", API + path, Optional.empty()), TIMEOUT);
  }

  /**
   * Sends a POST request whose body has an idempotency key. If the connection breaks, the request
   * is repeated until {@code atMost} has passed; the key keeps the hub from executing it twice.
   * Fails at once if no hub listens at the first try and none can be started.
   */
  public JsonValue.Obj postWithKey(String path, JsonValue.Obj body, Duration atMost)
      throws InterruptedException {
    HttpRequest request = HttpRequest.send("POST", API + path, body.toString());
    long deadline = System.nanoTime() + atMost.toNanos();
    boolean sent = false;
    while (true) {
      try {
        return sent ? call(request, TIMEOUT) : parsed(request, open(request, TIMEOUT));
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
    try (HttpResponse answer = open(HttpRequest.get(API + path), TIMEOUT)) {
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

  private JsonValue.Obj ask(HttpRequest request, Duration timeout) {
    try {
      return parsed(request, open(request, timeout));
    } catch (HubUnreachableException e) {
      throw absent();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * Sends the request. A hub that could not be reached has not got it, so it can be repeated when
   * one was started.
   */
  private HttpResponse open(HttpRequest request, Duration timeout) throws IOException {
    try {
      return send(request, timeout);
    } catch (HubUnreachableException e) {
      if (starter.isEmpty()) {
        throw e;
      }
      starter.get().start();
      return send(request, timeout);
    }
  }

  private JsonValue.Obj call(HttpRequest request, Duration timeout) throws IOException {
    return parsed(request, send(request, timeout));
  }

  private HttpResponse send(HttpRequest request, Duration timeout) throws IOException {
    // A request with more time than usual waits for something on purpose.
    return connection.ask(request, timeout, timeout.equals(TIMEOUT) ? whenLate : () -> {});
  }

  private static JsonValue.Obj parsed(HttpRequest request, HttpResponse response)
      throws IOException {
    try (HttpResponse answer = response) {
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
    String what =
        late ? LateHubNotice.hubOf(data) + " does not respond" : "lost the connection to the hub";
    return Failure.of(ExitCode.NO_HUB, what, "see the log: " + data.resolve(LOG)).because(e);
  }
}
