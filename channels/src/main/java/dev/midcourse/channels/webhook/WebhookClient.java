package dev.midcourse.channels.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Posts signed requests. Each request has a connection of its own: a kept connection that the
 * receiver has just closed would make the result of a request unknown.
 */
final class WebhookClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);
  private static final int MAX_ANSWER = 64 * 1024;
  private static final int MAX_MESSAGE_ID = 500;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  private final WebhookSettings settings;
  private final InstantSource clock;

  WebhookClient(WebhookSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  SendResult post(OutboundId id, String body) {
    if (settings.url().isEmpty()) {
      return new SendResult.Refused("the channel " + settings.name() + " has no url");
    }
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build()) {
      try {
        return send(client, id, request(settings.url().get(), id, body));
      } finally {
        client.shutdownNow();
      }
    }
  }

  private HttpRequest request(URI url, OutboundId id, String body) {
    byte[] bytes = body.getBytes(UTF_8);
    String seconds = Long.toString(clock.instant().getEpochSecond());
    return HttpRequest.newBuilder(url)
        .header("Content-Type", "application/json")
        .header("User-Agent", "midcourse")
        .header("Idempotency-Key", id.value())
        .header(WebhookChannel.TIMESTAMP, seconds)
        .header(WebhookChannel.SIGNATURE, settings.secret().sign(seconds, bytes))
        .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
        .build();
  }

  private SendResult send(HttpClient client, OutboundId id, HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
    try {
      return result(id, answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return new SendResult.Unknown("no answer within " + settings.timeout().toSeconds() + " s");
    } catch (ExecutionException e) {
      return failure(e.getCause() instanceof IOException io ? io : new IOException(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for the answer");
    }
  }

  private static SendResult failure(IOException e) {
    boolean notSent =
        e instanceof ConnectException
            || e instanceof HttpConnectTimeoutException
            || e instanceof SSLHandshakeException;
    String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return notSent
        ? new SendResult.RetryAfter(Duration.ZERO, "no connection: " + reason)
        : new SendResult.Unknown("the connection was cut: " + reason);
  }

  private SendResult result(OutboundId id, HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    String words = "the receiver answered with status " + status;
    return switch (status) {
      case TOO_MANY, UNAVAILABLE, REQUEST_TIMEOUT, TOO_EARLY ->
          new SendResult.RetryAfter(retryAfter(answer), words);
      default ->
          switch (status / 100) {
            case 2 -> new SendResult.Sent(messageId(answer.body()).orElse(id.value()));
            case 3 -> new SendResult.Refused(words + "; redirects are not followed");
            case 4 -> new SendResult.Refused(words);
            default -> new SendResult.Unknown(words);
          };
    };
  }

  /** The id that the receiver gave to the message, if it says one. */
  private static Optional<String> messageId(byte[] body) {
    try {
      return JsonReader.readObject(new String(body, UTF_8))
          .string("message_id")
          .filter(id -> !id.isBlank() && id.length() <= MAX_MESSAGE_ID && id.indexOf('\0') < 0);
    } catch (JsonException notJson) {
      return Optional.empty();
    }
  }

  /** The header in either of its forms: seconds or a date. */
  private Duration retryAfter(HttpResponse<?> answer) {
    Duration asked =
        answer.headers().firstValue("Retry-After").flatMap(this::delay).orElse(Duration.ZERO);
    return asked.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : asked;
  }

  private Optional<Duration> delay(String text) {
    String bare = text.strip();
    if (bare.matches("\\d{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(bare)));
    }
    try {
      Instant at = ZonedDateTime.parse(bare, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(clock.instant(), at);
      return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
    } catch (DateTimeException neither) {
      return Optional.empty();
    }
  }
}
