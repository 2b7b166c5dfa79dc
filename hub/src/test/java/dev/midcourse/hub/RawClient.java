package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.ledger.json.JsonCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A client of a hub over a plain socket, one connection for each request, so that a test decides
 * every byte. It reads the response to its end.
 */
public record RawClient(SocketAddress address, Map<String, String> headers) {
  public RawClient {
    headers = Map.copyOf(headers);
  }

  /** The response. */
  public record Reply(int status, Map<String, String> headers, String body) {
    public JsonNode json() {
      return JsonCodec.mapper().readTree(body);
    }

    public String text(String field) {
      return json().path(field).asString("");
    }
  }

  public RawClient with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new RawClient(address, more);
  }

  public Reply get(String path) {
    return ask("GET", path, "");
  }

  public Reply post(String path, String body) {
    return ask("POST", path, body);
  }

  public Reply ask(String method, String path, String body) {
    return say(request(method, path, body));
  }

  private String request(String method, String path, String body) {
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Host", "localhost");
    all.put("Connection", "close");
    if (!body.isEmpty()) {
      all.put("Content-Type", "application/json");
      all.put("Content-Length", Integer.toString(body.getBytes(UTF_8).length));
    }
    all.putAll(headers);
    all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head + "\r\n" + body;
  }

  /**
   * Requests a response that may not end, reads until the text is enough or the response ends, and
   * closes the connection. The frames of the chunks are between the lines.
   */
  public String begin(String path, Predicate<String> enough) {
    try (SocketChannel channel = SocketChannel.open(address)) {
      channel.write(ByteBuffer.wrap(request("GET", path, "").getBytes(UTF_8)));
      StringBuilder said = new StringBuilder();
      ByteBuffer more = ByteBuffer.allocate(4096);
      while (!enough.test(said.toString()) && channel.read(more) >= 0) {
        said.append(UTF_8.decode(more.flip()));
        more.clear();
      }
      return said.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a body that need not be text. */
  public Reply post(String path, byte[] body) {
    byte[] head =
        with("Content-Type", "application/json")
            .with("Content-Length", Integer.toString(body.length))
            .request("POST", path, "")
            .getBytes(UTF_8);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head);
    request.writeBytes(body);
    return say(request.toByteArray());
  }

  /** Sends exactly this text and reads until the hub closes. */
  public Reply say(String text) {
    return say(text.getBytes(UTF_8));
  }

  private Reply say(byte[] request) {
    try (SocketChannel channel = SocketChannel.open(address)) {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(request);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException refusedMeanwhile) {
        // The response states the reason.
      }
      return parse(Channels.newInputStream(channel).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Reply parse(byte[] bytes) {
    int end = headEnd(bytes);
    String[] lines = new String(bytes, 0, end, UTF_8).split("\r\n", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.put(
            lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).strip());
      }
    }
    byte[] body =
        java.util.Arrays.copyOfRange(bytes, Math.min(end + 4, bytes.length), bytes.length);
    boolean chunked = "chunked".equals(headers.get("transfer-encoding"));
    String text = new String(chunked ? joined(body) : body, UTF_8);
    return new Reply(Integer.parseInt(lines[0].split(" ", 3)[1]), headers, text);
  }

  private static int headEnd(byte[] bytes) {
    for (int i = 0; i + 3 < bytes.length; i++) {
      if (bytes[i] == '\r'
          && bytes[i + 1] == '\n'
          && bytes[i + 2] == '\r'
          && bytes[i + 3] == '\n') {
        return i;
      }
    }
    throw new IllegalStateException("no answer but: " + new String(bytes, UTF_8));
  }

  private static byte[] joined(byte[] chunks) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = 0;
    while (at < chunks.length) {
      int line = at;
      while (chunks[line] != '\r') {
        line++;
      }
      int size = Integer.parseInt(new String(chunks, at, line - at, UTF_8), 16);
      if (size == 0) {
        break;
      }
      out.write(chunks, line + 2, size);
      at = line + 2 + size + 2;
    }
    return out.toByteArray();
  }
}
