package dev.midcourse.autopilot.forge.http;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeCredential.Secret;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;

/**
 * The connection to one forge with one credential. The clients of one forge share a {@link
 * ForgeHost}. Reads that the forge has marked with an ETag cost no limit when nothing has changed.
 * While a limit holds, nothing is sent. Writes go one after the other. Each answer has a time limit
 * and a bounded size. The secret goes to the host of the forge only, and is in no message.
 */
public final class ForgeClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_REDIRECTS = 5;
  private static final Pattern NEXT_PAGE =
      Pattern.compile("<([^<>]{1,4000})>\\s*;[^,<]*\\brel=\"?next\\b");

  private final ForgeClientSettings settings;
  private final ForgeCredential credential;
  private final HttpClient http;
  private final ForgeLimits limits;
  private final WriteThrottle throttle;
  private final EtagCache cache = new EtagCache();

  /** Makes a client that is the only one of its host. */
  public ForgeClient(
      ForgeClientSettings settings, ForgeCredential credential, InstantSource clock) {
    this(settings, credential, new ForgeHost(settings.writeInterval(), clock));
  }

  /**
   * @param host what all clients of the host share; its interval counts, not that of the settings
   */
  public ForgeClient(ForgeClientSettings settings, ForgeCredential credential, ForgeHost host) {
    this.settings = settings;
    this.credential = credential;
    this.limits = host.limits();
    this.throttle = host.throttle();
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /**
   * Makes the request and returns a successful answer.
   *
   * @throws ForgeException for every other status, see {@link ForgeErrors#of}
   */
  public ForgeResponse call(ForgeRequest request) throws ForgeException, InterruptedException {
    ForgeResponse answer = exchange(request);
    if (!answer.isSuccess()) {
      throw ForgeErrors.of(answer);
    }
    return answer;
  }

  /**
   * Makes the request and returns the answer, of whatever status.
   *
   * @throws ForgeException if there is no answer, or if a limit holds
   */
  public ForgeResponse exchange(ForgeRequest request) throws ForgeException, InterruptedException {
    return request.write() ? throttle.write(() -> ask(request)) : ask(request);
  }

  /**
   * Reads a list page by page, as the header {@code Link} names the pages.
   *
   * @param items takes the items out of a page
   * @throws ForgeException if the first page cannot be read; a later one makes the list incomplete
   */
  public ForgePages pages(String target, Function<JsonValue, List<JsonValue.Obj>> items)
      throws ForgeException, InterruptedException {
    List<JsonValue.Obj> all = new ArrayList<>();
    Optional<String> next = Optional.of(target);
    for (int page = 1; next.isPresent(); page++) {
      if (page > settings.maxPages()) {
        return new ForgePages(
            all,
            Optional.of(
                ForgeRequest.get(target).shown()
                    + ": more than "
                    + settings.maxPages()
                    + " pages"));
      }
      try {
        ForgeResponse answer = call(ForgeRequest.get(next.get()));
        all.addAll(items.apply(answer.json()));
        next = nextPage(answer.headers());
      } catch (ForgeException e) {
        if (page == 1) {
          throw e;
        }
        return new ForgePages(all, Optional.of("page " + page + ": " + e.error().message()));
      }
    }
    return new ForgePages(all, Optional.empty());
  }

  /** Reads a list whose pages are arrays. */
  public ForgePages pages(String target) throws ForgeException, InterruptedException {
    return pages(target, page -> page instanceof JsonValue.Arr array ? array.objects() : List.of());
  }

  /**
   * Reads the end of a text of any length. The text may be at another host, which gets no secret.
   *
   * @param maxBytes the most bytes that are kept
   * @param maxRead the most bytes that are read; a longer text is cut there
   */
  public byte[] tail(String target, int maxBytes, long maxRead)
      throws ForgeException, InterruptedException {
    ForgeRequest request = ForgeRequest.get(target);
    limits.check(request);
    HttpResponse<InputStream> answer = authorized(request, BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      ForgeResponse head =
          new ForgeResponse(request, answer.statusCode(), answer.headers(), new byte[0], false);
      if (isForge(answer.uri())) {
        limits.update(head);
      }
      if (!head.isSuccess()) {
        throw ForgeErrors.of(head);
      }
      return TailReader.read(body, maxBytes, maxRead, settings.timeout());
    } catch (IOException e) {
      throw new ForgeException(
          new ForgeError.Outage(request.shown() + ": the connection was cut: " + reason(e)));
    }
  }

  /**
   * Tells the client that the forge has refused this answer's request for a limit, although the
   * status does not say so.
   */
  public ForgeException limited(ForgeResponse answer) {
    return limits.refuse(answer);
  }

  private ForgeResponse ask(ForgeRequest request) throws ForgeException, InterruptedException {
    limits.check(request);
    boolean isRead = request.method().equals("GET");
    String address = resolve(request).toString();
    Optional<ForgeResponse> before = isRead ? cache.get(address) : Optional.empty();
    ForgeRequest sent =
        before
            .flatMap(known -> known.header("ETag"))
            .map(etag ->
                request.withHeaders(merge(request.headers(), Map.of("If-None-Match", etag))))
            .orElse(request);
    HttpResponse<byte[]> raw =
        authorized(sent, BodyHandlers.limiting(BodyHandlers.ofByteArray(), settings.maxBody()));
    ForgeResponse answer =
        new ForgeResponse(request, raw.statusCode(), raw.headers(), raw.body(), false);
    if (isForge(raw.uri())) {
      limits.update(answer);
    }
    if (answer.status() == 304 && before.isPresent()) {
      return before.get().forUnchanged(request);
    }
    if (isRead) {
      cache.put(address, answer);
    }
    return answer;
  }

  /** Sends with the secret; once more if another secret can be had for one that is not accepted. */
  private <T> HttpResponse<T> authorized(ForgeRequest request, BodyHandler<T> handler)
      throws ForgeException, InterruptedException {
    Secret secret = secret();
    HttpResponse<T> answer = followed(request, secret, handler);
    if (answer.statusCode() != 401 || settings.authorization() == ForgeAuthorization.NONE) {
      return answer;
    }
    credential.reject(secret);
    Secret other = secret();
    if (other.equals(secret)) {
      return answer;
    }
    close(answer.body());
    return followed(request, other, handler);
  }

  private Secret secret() throws ForgeException, InterruptedException {
    if (settings.authorization() == ForgeAuthorization.NONE) {
      return new Secret("", "");
    }
    Secret secret = credential.get();
    boolean isSendable =
        !secret.token().isBlank() && secret.token().chars().allMatch(c -> c > 0x20 && c < 0x7f);
    if (!isSendable) {
      throw new ForgeException(
          new ForgeError.Unauthorized(
              "the token is empty, or has characters that no token of a forge has"));
    }
    return secret;
  }

  /**
   * Follows redirects: of a read to every host, of a write only within the forge. Another host gets
   * neither the secret nor the headers of the client.
   */
  private <T> HttpResponse<T> followed(ForgeRequest request, Secret secret, BodyHandler<T> handler)
      throws ForgeException, InterruptedException {
    URI at = resolve(request);
    for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      HttpResponse<T> answer = send(request, at, secret, handler);
      Optional<URI> next = redirect(request, at, answer);
      if (next.isEmpty()) {
        return answer;
      }
      close(answer.body());
      at = next.get();
    }
    throw new ForgeException(
        new ForgeError.Outage(request.shown() + ": more than " + MAX_REDIRECTS + " redirects"));
  }

  private Optional<URI> redirect(ForgeRequest request, URI at, HttpResponse<?> answer)
      throws ForgeException {
    boolean isRedirect =
        switch (answer.statusCode()) {
          case 301, 302, 303 -> request.method().equals("GET");
          case 307, 308 -> true;
          default -> false;
        };
    Optional<String> location = answer.headers().firstValue("Location");
    if (!isRedirect || location.isEmpty()) {
      return Optional.empty();
    }
    URI next;
    try {
      next = at.resolve(location.get());
    } catch (IllegalArgumentException e) {
      throw new ForgeException(
          new ForgeError.Outage(request.shown() + ": redirected to an address that is none"));
    }
    boolean isSafe =
        ("https".equalsIgnoreCase(next.getScheme())
                || ("http".equalsIgnoreCase(next.getScheme())
                    && !"https".equalsIgnoreCase(at.getScheme())))
            && next.getHost() != null
            && (isForge(next) || request.method().equals("GET"));
    if (!isSafe) {
      throw new ForgeException(
          new ForgeError.Outage(
              request.shown() + ": redirected to " + next.getHost() + ", which is not followed"));
    }
    return Optional.of(next);
  }

  private <T> HttpResponse<T> send(
      ForgeRequest request, URI at, Secret secret, BodyHandler<T> handler)
      throws ForgeException, InterruptedException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(at)
            .header("User-Agent", "midcourse")
            .method(
                request.method(),
                request.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
    if (isForge(at)) {
      merge(settings.headers(), request.headers()).forEach(builder::header);
      if (settings.authorization() != ForgeAuthorization.NONE) {
        builder.header(settings.authorization().header(), settings.authorization().value(secret));
      }
    }
    CompletableFuture<HttpResponse<T>> answer = http.sendAsync(builder.build(), handler);
    try {
      return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new ForgeException(
          new ForgeError.Outage(
              request.shown() + ": no answer within " + settings.timeout().toSeconds() + " s"),
          request.write());
    } catch (ExecutionException e) {
      throw failure(request, secret, e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }

  private static ForgeException failure(
      ForgeRequest request, Secret secret, ExecutionException failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    String reason = ForgeAuthorization.redact(reason(cause), secret);
    boolean notSent =
        cause instanceof ConnectException
            || cause instanceof HttpConnectTimeoutException
            || cause instanceof SSLHandshakeException
            || cause instanceof UnresolvedAddressException;
    return notSent
        ? new ForgeException(
            new ForgeError.Outage(request.shown() + ": no connection: " + reason), false)
        : new ForgeException(
            new ForgeError.Outage(request.shown() + ": the answer did not come whole: " + reason),
            request.write());
  }

  private static String reason(Throwable cause) {
    return ForgeErrors.line(
        Optional.ofNullable(cause.getMessage()).orElseGet(() -> cause.getClass().getSimpleName()));
  }

  /** The address of a request. An address of another host is refused. */
  private URI resolve(ForgeRequest request) throws ForgeException {
    try {
      String base = settings.api().toString().replaceAll("/+$", "");
      URI address =
          URI.create(request.target().startsWith("/") ? base + request.target() : request.target());
      if (isForge(address)) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // It is refused below.
    }
    throw new ForgeException(
        new ForgeError.Outage(request.shown() + ": this is no address of the forge"));
  }

  /** Whether the address is at the host, the port and with the scheme of the forge. */
  private boolean isForge(URI address) {
    URI api = settings.api();
    return api.getScheme().equalsIgnoreCase(String.valueOf(address.getScheme()))
        && api.getHost().equalsIgnoreCase(String.valueOf(address.getHost()))
        && port(api) == port(address)
        && address.getRawUserInfo() == null;
  }

  private static int port(URI address) {
    if (address.getPort() >= 0) {
      return address.getPort();
    }
    return "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
  }

  private static Optional<String> nextPage(HttpHeaders headers) {
    for (String link : headers.allValues("Link")) {
      Matcher next = NEXT_PAGE.matcher(link);
      if (next.find()) {
        return Optional.of(next.group(1));
      }
    }
    return Optional.empty();
  }

  /** The headers, with names in lower case; the second ones replace the first ones. */
  private static Map<String, String> merge(Map<String, String> first, Map<String, String> second) {
    Map<String, String> all = new LinkedHashMap<>();
    first.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
    second.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
    return all;
  }

  private static void close(Object body) {
    if (body instanceof InputStream stream) {
      try {
        stream.close();
      } catch (IOException e) {
        // It is closed already.
      }
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
