package dev.midcourse.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.kind.ChannelSecret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.net.ssl.SSLHandshakeException;

/**
 * Makes requests to a platform. Each has a time limit for the whole answer and a bounded answer. An
 * exception never contains a secret, and says whether the platform may have got the request.
 */
public final class PlatformClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_ANSWER = 16 * 1024 * 1024;
  private static final int MAX_REDIRECTS = 5;
  private static final int BUFFER = 64 * 1024;

  private final List<ChannelSecret> secrets;
  private final HttpClient client;

  /**
   * @param secrets are replaced by asterisks in all exceptions
   */
  public PlatformClient(List<ChannelSecret> secrets) {
    this.secrets = List.copyOf(secrets);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** The client under it, for web sockets. */
  HttpClient client() {
    return client;
  }

  /** Makes the request and returns the answer, of whatever status. Redirects are not followed. */
  public PlatformResponse send(HttpRequest request, Duration timeout)
      throws PlatformException, InterruptedException {
    HttpResponse<byte[]> answer =
        exchange(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER), timeout);
    return new PlatformResponse(
        answer.statusCode(), answer.headers(), new String(answer.body(), UTF_8));
  }

  /**
   * Writes what is at the address to a new file. The time limit counts for each answer: once for
   * its head, and once for its body.
   *
   * @param headers name and value in turn; they are sent to the first host only
   * @param hosts which hosts may be asked, also after a redirect
   * @throws IOException if the status is not 200, the host is not allowed, or there are more than
   *     {@code maxBytes}; the file is then deleted
   */
  public void download(
      URI from,
      List<String> headers,
      Predicate<URI> hosts,
      Path target,
      long maxBytes,
      Duration timeout)
      throws IOException, InterruptedException {
    URI at = from;
    for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!hosts.test(at)) {
        throw new IOException("the file is on a host that is not of the platform");
      }
      HttpRequest.Builder request = HttpRequest.newBuilder(at).GET();
      if (at.getAuthority().equals(from.getAuthority())) {
        for (int i = 0; i + 1 < headers.size(); i += 2) {
          request.header(headers.get(i), headers.get(i + 1));
        }
      }
      HttpResponse<InputStream> answer =
          exchange(request.build(), BodyHandlers.ofInputStream(), timeout);
      try (InputStream body = answer.body()) {
        if (answer.statusCode() / 100 == 3) {
          at = at.resolve(answer.headers().firstValue("Location").orElse(""));
          continue;
        }
        if (answer.statusCode() != 200) {
          throw new IOException("the platform answered with status " + answer.statusCode());
        }
        copy(body, target, maxBytes, timeout);
        return;
      }
    }
    throw new IOException("more than " + MAX_REDIRECTS + " redirects");
  }

  /** Copies the body; a sender that is too slow is cut off. */
  private static void copy(InputStream from, Path target, long maxBytes, Duration timeout)
      throws IOException {
    AtomicBoolean late = new AtomicBoolean();
    CompletableFuture<Void> guard =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              close(from);
            },
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS));
    try {
      copy(from, target, maxBytes);
    } finally {
      guard.cancel(false);
      if (late.get()) {
        Files.deleteIfExists(target);
      }
    }
    if (late.get()) {
      throw new IOException("the file did not arrive within " + timeout.toSeconds() + " s");
    }
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }

  private static void copy(InputStream from, Path target, long maxBytes) throws IOException {
    boolean whole = false;
    try (OutputStream to =
        Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[BUFFER];
      long bytes = 0;
      int read = from.read(buffer);
      while (read >= 0) {
        bytes += read;
        if (bytes > maxBytes) {
          throw new IOException("the file has more than " + maxBytes + " bytes");
        }
        to.write(buffer, 0, read);
        read = from.read(buffer);
      }
      whole = true;
    } finally {
      if (!whole) {
        Files.deleteIfExists(target);
      }
    }
  }

  private <T> HttpResponse<T> exchange(
      HttpRequest request, BodyHandler<T> handler, Duration timeout)
      throws PlatformException, InterruptedException {
    CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, handler);
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new PlatformException("no answer within " + timeout.toSeconds() + " s", true);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }

  /** Tells the reason without a secret. The cause is left out, since its text may contain one. */
  PlatformException failure(ExecutionException failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    for (ChannelSecret secret : secrets) {
      reason = secret.redact(reason);
    }
    boolean notSent =
        cause instanceof ConnectException
            || cause instanceof HttpConnectTimeoutException
            || cause instanceof SSLHandshakeException
            || cause instanceof UnresolvedAddressException;
    return notSent
        ? new PlatformException("no connection: " + reason, false)
        : new PlatformException("the connection was cut: " + reason, true);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
