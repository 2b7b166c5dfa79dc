package dev.midcourse.hub.http;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.hub.http.server.ChunkedReader;
import dev.midcourse.hub.http.server.ClientConnection;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.RoutingRequest;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of one request. It knows whether the next bytes of the connection are the next request:
 * where they are not, because the body was not read to its end, the connection must be closed.
 * Otherwise the rest of the body would be taken for a request, and behind a proxy for a request of
 * another client. For one thread.
 */
final class RequestBody {
  private final ClientConnection connection;
  private final RoutingRequest request;
  private boolean atEnd;

  RequestBody(ClientConnection connection, RoutingRequest request) {
    this.connection = connection;
    this.request = request;
    this.atEnd = !isChunked() && length() == 0;
  }

  /** Whether the next bytes of the connection are the next request. */
  boolean isAtEnd() {
    return atEnd;
  }

  /** Reads the body. Refuses one of more bytes than this. */
  byte[] read(int max) throws IOException {
    if (atEnd) {
      return new byte[0];
    }
    if (length() > max) {
      throw tooLarge(max).refused();
    }
    return isChunked() ? readChunks(max) : readWhole();
  }

  private byte[] readWhole() throws IOException {
    try (InputStream in = request.content().inputStream()) {
      byte[] bytes = in.readAllBytes();
      atEnd = true;
      return bytes;
    } catch (RuntimeException e) {
      throw new CloseConnectionException("the client sent less than it announced", e);
    }
  }

  /** This bypasses Helidon, so the connection cannot be used again: isAtEnd stays false. */
  private byte[] readChunks(int max) {
    if (request.headers().containsToken(HeaderValues.EXPECT_100)) {
      connection.sendContinue();
    }
    return new ChunkedReader(connection.dataReader())
        .readAll(max)
        .orElseThrow(() -> tooLarge(max).refused());
  }

  private boolean isChunked() {
    return headers().contains(HeaderNames.TRANSFER_ENCODING);
  }

  private long length() {
    return headers().contentLength().orElse(0);
  }

  private ServerRequestHeaders headers() {
    return request.headers();
  }

  private static Problem tooLarge(int max) {
    return Problem.of(
        Code.TOO_LARGE,
        "body",
        "at most " + max + " bytes",
        "the body is larger than " + max + " bytes");
  }
}
