package dev.midcourse.channels.telegram.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.http.MultipartBody;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.json.JsonValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Calls the Bot API. The address of a call contains the token and never leaves this class. */
public final class TelegramClient implements AutoCloseable {
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration TRANSFER_TIMEOUT = Duration.ofMinutes(5);
  private static final int MAX_DESCRIPTION = 300;

  private final TelegramSettings settings;
  private final PlatformClient http;

  public TelegramClient(TelegramSettings settings) {
    this.settings = settings;
    this.http = new PlatformClient(List.of(settings.token(), settings.webhookSecret()));
  }

  public TelegramAnswer call(String method, JsonValue.Obj parameters)
      throws PlatformException, InterruptedException {
    return call(method, parameters, CALL_TIMEOUT);
  }

  public TelegramAnswer call(String method, JsonValue.Obj parameters, Duration timeout)
      throws PlatformException, InterruptedException {
    return answer(
        http.send(
            request(method)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(parameters.toString()))
                .build(),
            timeout));
  }

  /** Makes a call with a file. */
  public TelegramAnswer upload(String method, MultipartBody form)
      throws PlatformException, FileNotFoundException, InterruptedException {
    return answer(
        http.send(
            request(method)
                .header("Content-Type", form.contentType())
                .POST(form.publisher())
                .build(),
            TRANSFER_TIMEOUT));
  }

  /**
   * Writes a file of Telegram to the target.
   *
   * @param path what {@code getFile} has told
   */
  public void download(String path, Path target, long maxBytes)
      throws IOException, InterruptedException {
    List<String> steps = List.of(path.split("/", -1));
    if (path.indexOf('\\') >= 0
        || steps.stream().anyMatch(step -> step.isBlank() || step.startsWith("."))) {
      throw new IOException("Telegram named a file in a way that is not known");
    }
    String encoded = steps.stream().map(TelegramClient::encode).collect(Collectors.joining("/"));
    URI from = address("/file/bot" + settings.token().reveal() + "/" + encoded);
    http.download(
        from,
        List.of(),
        at ->
            from.getAuthority().equals(at.getAuthority())
                && from.getScheme().equals(at.getScheme()),
        target,
        maxBytes,
        TRANSFER_TIMEOUT);
  }

  private static String encode(String step) {
    return URLEncoder.encode(step, UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String method) {
    return HttpRequest.newBuilder(address("/bot" + settings.token().reveal() + "/" + method))
        .header("User-Agent", "midcourse");
  }

  private URI address(String path) {
    return URI.create(settings.api() + path);
  }

  private TelegramAnswer answer(PlatformResponse response) {
    JsonValue.Obj body = response.json();
    Optional<JsonValue> result = body.get("result");
    if (response.status() == 200 && body.is("ok") && result.isPresent()) {
      return new TelegramAnswer.Ok(result.get());
    }
    JsonValue.Obj more = body.object("parameters");
    return new TelegramAnswer.Failed(
        code(response, body),
        body.string("description")
            .map(this::shown)
            .orElseGet(() -> "Telegram answered with status " + response.status()),
        more.number("retry_after")
            .map(seconds -> PlatformResponse.seconds((double) seconds))
            .or(response::retryAfter),
        more.number("migrate_to_chat_id").map(id -> Long.toString(id)));
  }

  /** A success without a result is none, but the call may have been carried out. */
  private static int code(PlatformResponse response, JsonValue.Obj body) {
    int status = response.status();
    int told = body.number("error_code").map(Long::intValue).orElse(status);
    return told >= 400 ? told : 500;
  }

  private String shown(String description) {
    String plain =
        settings
            .token()
            .redact(description)
            .codePoints()
            .map(c -> Character.isISOControl(c) ? ' ' : c)
            .limit(MAX_DESCRIPTION)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    return "Telegram: " + plain;
  }

  @Override
  public void close() {
    http.close();
  }

  /** An array of texts as a parameter. */
  public static JsonValue.Arr texts(String... texts) {
    return JsonValue.strings(Arrays.asList(texts));
  }
}
