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
 * Asks the hub of a data folder. Every way in which it can say no, or not answer, is a {@link
 * Failure} with its exit code.
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

  /** Whether it runs or not shows when it is asked. */
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
   * The link that opens the hub's page in a browser. The token is in its fragment, which a browser
   * sends to nobody.
   */
  public Optional<String> pageLink(JsonValue.Obj health) {
    return health.text("url").flatMap(url -> token(data).map(token -> url + "/#token=" + token));
  }

  /** What it answers to a question about itself; nothing if nobody is there. */
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

  /** Something the hub itself waits for, at most so long. */
  public JsonValue.Obj getSlowly(String path, Duration atMost) {
    return ask(HttpRequest.get(API + path), atMost.plus(TIMEOUT));
  }

  public JsonValue.Obj post(String path, JsonValue.Obj body) {
    return ask(HttpRequest.send("POST", API + path, body.toString()), TIMEOUT);
  }

  /** A body that is JSON already. */
  public JsonValue.Obj postText(String path, String json) {
    return ask(HttpRequest.send("POST", API + path, json), TIMEOUT);
  }

  /** Passes a message of another protocol on; its answer, if it has one. Waits long for it. */
  public Optional<String> exchange(String path, String message) {
    try (HttpResponse answer =
        connection.ask(HttpRequest.send("POST", path, message), MAX_LENGTH)) {
      if (!answer.header("Content-Type").equals(Optional.of("application/json"))) {
        checked(answer, path); // not of that protocol: the hub's own refusal
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
   * Something that has the same effect however often it is sent: when the hub goes away before it
   * answers, it is sent again for a while.
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

  /** Text that the hub streams, such as an agent's own output. */
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

  /** Events as they come; those after the last one seen, if one is given. */
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
