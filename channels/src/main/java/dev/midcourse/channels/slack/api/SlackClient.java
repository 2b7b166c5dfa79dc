package dev.midcourse.channels.slack.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.json.JsonValue;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Calls methods of the web API. A call is made once, with a token in a header. */
public final class SlackClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(10);
  private static final int TOO_MANY = 429;
  private static final int MAX_ERROR = 100;
  private static final List<String> LOCAL_HOSTS = List.of("127.0.0.1", "localhost", "[::1]");
  private static final List<String> SLACK_HOSTS =
      List.of("slack.com", "slack-files.com", "slack-edge.com");

  private final PlatformClient http;
  private final SlackSettings settings;

  public SlackClient(PlatformClient http, SlackSettings settings) {
    this.http = http;
    this.settings = settings;
  }

  public PlatformClient http() {
    return http;
  }

  public ChannelSecret botToken() {
    return settings.botToken();
  }

  /** Calls a method as the bot. */
  public SlackAnswer call(String method, Map<String, String> arguments)
      throws PlatformException, InterruptedException {
    return call(method, arguments, settings.botToken(), TIMEOUT);
  }

  public SlackAnswer call(
      String method, Map<String, String> arguments, ChannelSecret token, Duration timeout)
      throws PlatformException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(settings.api().resolve(method))
            .header("Authorization", "Bearer " + token.reveal())
            .header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(form(arguments)))
            .build();
    return answer(http.send(request, timeout));
  }

  private static String form(Map<String, String> arguments) {
    return arguments.entrySet().stream()
        .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static SlackAnswer answer(PlatformResponse response) {
    if (response.status() == TOO_MANY) {
      return new SlackAnswer.RateLimited(response.retryAfter().orElse(DEFAULT_RETRY_AFTER));
    }
    JsonValue.Obj body = response.json();
    if (body.is("ok")) {
      return new SlackAnswer.Done(body, response.headers().firstValue("X-OAuth-Scopes").orElse(""));
    }
    if (response.status() / 100 == 5 || body.string("error").isEmpty()) {
      return new SlackAnswer.Unclear("Slack answered with status " + response.status());
    }
    String error = body.string("error").orElseThrow();
    if (error.equals("ratelimited") || error.equals("rate_limited")) {
      return new SlackAnswer.RateLimited(response.retryAfter().orElse(DEFAULT_RETRY_AFTER));
    }
    return new SlackAnswer.Failed(bounded(error), detail(body));
  }

  private static String detail(JsonValue.Obj body) {
    return body.string("needed")
        .map(scopes -> "needed: " + bounded(scopes))
        .orElseGet(() ->
            body.object("response_metadata").texts("messages").stream()
                .findFirst()
                .map(SlackClient::bounded)
                .orElse(""));
  }

  private static String bounded(String text) {
    return text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) : text;
  }

  /** Whether the address is one of Slack, or of the machine that stands for it in a test. */
  public boolean isOfSlack(URI address) {
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    if (LOCAL_HOSTS.contains(settings.api().getHost())) {
      return LOCAL_HOSTS.contains(host);
    }
    boolean known =
        SLACK_HOSTS.stream().anyMatch(own -> host.equals(own) || host.endsWith("." + own))
            || host.equals(settings.api().getHost());
    return known && ("https".equals(address.getScheme()) || "wss".equals(address.getScheme()));
  }
}
