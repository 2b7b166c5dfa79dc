package dev.midcourse.cli.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An HTTP response: its status, its headers, and its body as a stream. Closing it ends the
 * connection.
 */
public final class HttpResponse implements AutoCloseable {
  private final int status;
  private final Map<String, String> headers;
  private final InputStream body;
  private final AutoCloseable connection;

  private HttpResponse(
      int status, Map<String, String> headers, InputStream body, AutoCloseable connection) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.connection = connection;
  }

  static HttpResponse read(HttpInput wire, AutoCloseable connection) throws IOException {
    int status = status(wire.line());
    while (status == 100) {
      headers(wire);
      status = status(wire.line());
    }
    Map<String, String> headers = headers(wire);
    return new HttpResponse(status, headers, body(wire, status, headers), connection);
  }

  public int status() {
    return status;
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /** Returns a header by its name; the case does not matter. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  public InputStream body() {
    return body;
  }

  /** Reads the whole body as text. */
  public String text() throws IOException {
    return new String(body.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static int status(String line) throws IOException {
    String[] words = line.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
      throw new IOException("the response is not HTTP/1.1");
    }
    try {
      return Integer.parseInt(words[1]);
    } catch (NumberFormatException e) {
      throw new IOException("the response has no status", e);
    }
  }

  private static Map<String, String> headers(HttpInput wire) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = wire.line(); !line.isEmpty(); line = wire.line()) {
      int colon = line.indexOf(':');
      if (colon <= 0 || headers.size() > 200) {
        throw new IOException("the response has an invalid header");
      }
      headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static InputStream body(HttpInput wire, int status, Map<String, String> headers)
      throws IOException {
    if (status == 204 || status == 304) {
      return new ResponseBody.Counted(wire, 0);
    }
    if (headers.getOrDefault("Transfer-Encoding", "").equalsIgnoreCase("chunked")) {
      return new ResponseBody.Chunked(wire);
    }
    String length = headers.get("Content-Length");
    if (length == null) {
      return new ResponseBody.UntilClosed(wire);
    }
    try {
      return new ResponseBody.Counted(wire, Math.max(0, Long.parseLong(length)));
    } catch (NumberFormatException e) {
      throw new IOException("the response has an invalid Content-Length", e);
    }
  }
}
