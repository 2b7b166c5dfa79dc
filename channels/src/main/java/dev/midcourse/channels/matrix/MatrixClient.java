package dev.midcourse.channels.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes requests to the homeserver. The token is in a header, never in an address. */
final class MatrixClient implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(30);
  static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration MIN_RETRY_AFTER = Duration.ofSeconds(1);
  private static final String REMEDY =
      "Make a new access token for the bot, store it in the file of the setting token_file, then"
          + " restart the hub.";

  private final MatrixSettings settings;
  private final PlatformClient http;

  MatrixClient(MatrixSettings settings) {
    this.settings = settings;
    this.http = new PlatformClient(List.of(settings.token()));
  }

  /** Makes one part of a path of a text, whatever is in it. */
  static String part(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  PlatformResponse get(String path, Duration timeout)
      throws PlatformException, InterruptedException {
    return http.send(request(path).GET().build(), timeout);
  }

  PlatformResponse put(String path, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    return http.send(request(path).PUT(json(body)).build(), TIMEOUT);
  }

  PlatformResponse post(String path, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    return http.send(request(path).POST(json(body)).build(), TIMEOUT);
  }

  PlatformResponse upload(String name, Path file) throws IOException, InterruptedException {
    HttpRequest request =
        request("/_matrix/media/v3/upload?filename=" + part(name))
            .setHeader("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofFile(file))
            .build();
    return http.send(request, UPLOAD_TIMEOUT);
  }

  /** Fetches a file over our own homeserver, which asks the one that has it. */
  void download(String mxc, Path target, long maxBytes) throws IOException, InterruptedException {
    URI from = uri("/_matrix/client/v1/media/download/" + mxc.substring("mxc://".length()));
    http.download(
        from,
        List.of("Authorization", authorization()),
        host -> isTrusted(host),
        target,
        maxBytes,
        UPLOAD_TIMEOUT);
  }

  /** A homeserver may redirect to its store of files, which must use https; no token goes there. */
  private boolean isTrusted(URI host) {
    return String.valueOf(host.getAuthority()).equals(settings.server().getAuthority())
        || "https".equals(host.getScheme());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path))
        .header("Authorization", authorization())
        .header("Content-Type", "application/json")
        .header("User-Agent", "midcourse");
  }

  private String authorization() {
    return "Bearer " + settings.token().reveal();
  }

  private URI uri(String path) {
    String base = settings.server().toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  private static BodyPublisher json(JsonValue.Obj body) {
    return BodyPublishers.ofString(JsonWriter.compact(body));
  }

  /** Returns the body of an answer with status 200. */
  static JsonValue.Obj require(PlatformResponse answer)
      throws RetryLaterException, PermanentFailureException, IOException {
    if (answer.status() == 200) {
      return answer.json();
    }
    String code = code(answer);
    if (answer.status() == 429) {
      throw new RetryLaterException("the homeserver asks to wait", retryAfter(answer));
    }
    if (isTokenInvalid(answer)) {
      throw new PermanentFailureException(
          "the homeserver refuses the token of the bot (" + code + ")", REMEDY);
    }
    throw new IOException("the homeserver answered " + answer.status() + " " + code);
  }

  /** Whether the token will never work again. A soft logout counts: the token must be renewed. */
  static boolean isTokenInvalid(PlatformResponse answer) {
    return switch (code(answer)) {
      case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED" -> true;
      default -> false;
    };
  }

  /** The code of an error; empty if there is none. Bounded, since it is shown. */
  static String code(PlatformResponse answer) {
    return answer
        .json()
        .string("errcode")
        .filter(it -> it.matches("[A-Za-z0-9_.]{1,60}"))
        .orElse("");
  }

  static Duration retryAfter(PlatformResponse answer) {
    Optional<Duration> named =
        answer
            .json()
            .number("retry_after_ms")
            .map(millis -> PlatformResponse.seconds(millis / 1_000.0));
    Duration wait = named.or(answer::retryAfter).orElse(MIN_RETRY_AFTER);
    return wait.compareTo(MIN_RETRY_AFTER) < 0 ? MIN_RETRY_AFTER : wait;
  }

  @Override
  public void close() {
    http.close();
  }
}
