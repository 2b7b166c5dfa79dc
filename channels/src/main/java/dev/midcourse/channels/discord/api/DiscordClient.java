package dev.midcourse.channels.discord.api;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.http.MultipartBody;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Calls the HTTP API of Discord. Makes no call that Discord would certainly refuse: it obeys the
 * limits that Discord told, and stops for good after the token was refused.
 */
public final class DiscordClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FILE_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final int BAD_GATEWAY = 502;
  private static final String USER_AGENT = "DiscordBot (https://midcourse.dev, 0.1)";
  private static final Set<String> CDN_HOSTS = Set.of("cdn.discordapp.com", "media.discordapp.net");

  private final DiscordSettings settings;
  private final PlatformClient http;
  private final DiscordRateLimits limits;
  private volatile boolean revoked;

  public DiscordClient(DiscordSettings settings, InstantSource clock) {
    this.settings = settings;
    this.http = new PlatformClient(List.of(settings.token()));
    this.limits = new DiscordRateLimits(clock);
  }

  /** The client under it, for the web socket. */
  public PlatformClient http() {
    return http;
  }

  public DiscordRateLimits limits() {
    return limits;
  }

  /** Throws if Discord has refused the token. */
  public void requireToken() throws PermanentFailureException {
    if (revoked) {
      throw refusedToken();
    }
  }

  public static PermanentFailureException refusedToken() {
    return new PermanentFailureException(
        "Discord refuses the token of the bot",
        "Make a new token at https://discord.com/developers/applications (Bot, Reset Token), put it"
            + " where the setting token says, and restart the hub.");
  }

  public DiscordAnswer get(String path) throws PlatformException, InterruptedException {
    return call(new DiscordRoute("GET", path), Optional.empty());
  }

  public DiscordAnswer call(String method, String path, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    return call(new DiscordRoute(method, path), Optional.of(body));
  }

  public DiscordAnswer call(DiscordRoute route, Optional<JsonValue.Obj> body)
      throws PlatformException, InterruptedException {
    BodyPublisher publisher =
        body.map(json -> BodyPublishers.ofString(json.toString()))
            .orElseGet(BodyPublishers::noBody);
    return exchange(route, publisher, "application/json", TIMEOUT);
  }

  public DiscordAnswer upload(String path, MultipartBody body)
      throws PlatformException, InterruptedException {
    return exchange(
        new DiscordRoute("POST", path), body.publisher(), body.contentType(), FILE_TIMEOUT);
  }

  /** Like {@link #get}, and waits while Discord limits the rate, two minutes at most. */
  public DiscordAnswer getWithRetries(String path) throws PlatformException, InterruptedException {
    Duration waited = Duration.ZERO;
    while (true) {
      DiscordAnswer answer = get(path);
      if (!(answer instanceof DiscordAnswer.Limited(Duration delay, var _))) {
        return answer;
      }
      waited = waited.plus(delay);
      if (waited.compareTo(MAX_WAIT) > 0) {
        return answer;
      }
      Thread.sleep(delay.plusMillis(1));
    }
  }

  private DiscordAnswer exchange(
      DiscordRoute route, BodyPublisher body, String contentType, Duration timeout)
      throws PlatformException, InterruptedException {
    if (revoked) {
      return new DiscordAnswer.Failed(DiscordAnswer.Failed.UNAUTHORIZED, 0, "the token is refused");
    }
    Optional<DiscordAnswer> refusal = limits.refusal(route);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(settings.api() + route.path()))
            .header("Authorization", "Bot " + settings.token().reveal())
            .header("User-Agent", USER_AGENT)
            .method(route.method(), body);
    if (body.contentLength() != 0) {
      request.header("Content-Type", contentType);
    }
    return answer(route, http.send(request.build(), timeout));
  }

  private DiscordAnswer answer(DiscordRoute route, PlatformResponse response) {
    limits.update(route, response);
    int status = response.status();
    if (status / 100 == 2) {
      return done(response.text());
    }
    if (DiscordRateLimits.isTooMany(status)) {
      return new DiscordAnswer.Limited(
          limits.tooMany(route, response), "Discord limits the calls of the bot");
    }
    JsonValue.Obj body = response.json();
    int code = body.number("code").filter(it -> it > 0 && it < 1_000_000).orElse(0L).intValue();
    String message = body.string("message").orElse("no reason given");
    DiscordAnswer.Failed failed =
        new DiscordAnswer.Failed(
            status, code, message.substring(0, Math.min(message.length(), 200)));
    if (status == DiscordAnswer.Failed.UNAUTHORIZED) {
      // A call that is authorized by the token of an interaction has 401 for that token too.
      revoked = revoked || !route.path().startsWith("/webhooks/");
      limits.refused(route, failed);
    } else if (status == DiscordAnswer.Failed.FORBIDDEN) {
      limits.refused(route, failed);
    }
    return failed;
  }

  /** An answer that cannot be read, as of a proxy, tells nothing about the call. */
  private static DiscordAnswer done(String text) {
    try {
      return new DiscordAnswer.Done(text.isBlank() ? JsonValue.Obj.EMPTY : JsonReader.read(text));
    } catch (JsonException e) {
      return new DiscordAnswer.Failed(BAD_GATEWAY, 0, "the answer is not JSON");
    }
  }

  /** Fetches a file from the hosts of Discord; renews its address if that has expired. */
  public void download(String address, Path target, long maxBytes)
      throws IOException, InterruptedException {
    try {
      fetch(address, target, maxBytes);
    } catch (PlatformException e) {
      throw e;
    } catch (IOException e) {
      Optional<String> renewed = renewed(address);
      if (renewed.isEmpty()) {
        throw e;
      }
      fetch(renewed.get(), target, maxBytes);
    }
  }

  private void fetch(String address, Path target, long maxBytes)
      throws IOException, InterruptedException {
    URI from;
    try {
      from = URI.create(address);
    } catch (IllegalArgumentException e) {
      throw new IOException("the address of the file is not valid");
    }
    http.download(from, List.of(), this::isFileHost, target, maxBytes, FILE_TIMEOUT);
  }

  private boolean isFileHost(URI file) {
    String host = file.getHost();
    if (host == null) {
      return false;
    }
    boolean isCdn = "https".equals(file.getScheme()) && CDN_HOSTS.contains(host);
    boolean isApi =
        file.getAuthority().equals(settings.api().getAuthority())
            && String.valueOf(file.getScheme()).equals(settings.api().getScheme());
    return isCdn || isApi;
  }

  /** Asks for a new address of a file; empty if its host is not one of Discord. */
  private Optional<String> renewed(String address) throws PlatformException, InterruptedException {
    try {
      if (!isFileHost(URI.create(address))) {
        return Optional.empty();
      }
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    JsonValue.Obj body =
        JsonValue.object().with("attachment_urls", JsonValue.strings(List.of(address)));
    return call("POST", "/attachments/refresh-urls", body) instanceof DiscordAnswer.Done done
        ? done.object().objects("refreshed_urls").stream()
            .findFirst()
            .flatMap(one -> one.string("refreshed"))
            .filter(other -> !other.equals(address))
        : Optional.empty();
  }

  @Override
  public void close() {
    http.close();
  }
}
