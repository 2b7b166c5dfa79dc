package dev.midcourse.cli.net;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One HTTP request: method, target and an optional JSON body.
 *
 * @param target the path with its query, already encoded
 */
public record HttpRequest(String method, String target, Optional<String> body) {

  public static HttpRequest get(String target) {
    return new HttpRequest("GET", target, Optional.empty());
  }

  public static HttpRequest send(String method, String target, String body) {
    return new HttpRequest(method, target, Optional.of(body));
  }

  /** Encodes a part of a path or a query, so that no character of it is read as syntax. */
  public static String encoded(String piece) {
    StringBuilder out = new StringBuilder(piece.length());
    for (byte b : piece.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-._~".indexOf(c) >= 0;
      if (plain) {
        out.append(c);
      } else {
        out.append('%')
            .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
            .append(Character.toUpperCase(Character.forDigit(c & 0xF, 16)));
      }
    }
    return out.toString();
  }

  /** Returns the request as bytes. */
  byte[] bytes(Optional<String> token, Optional<String> lastEventId) {
    byte[] payload = body.orElse("").getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder(256);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    header(head, "Host", "localhost");
    header(head, "Connection", "close");
    header(head, "User-Agent", "midcourse-cli");
    if (token.isPresent()) {
      header(head, "Authorization", "Bearer ".concat(token.get()));
    }
    if (lastEventId.isPresent()) {
      header(head, "Last-Event-ID", lastEventId.get());
    }
    if (body.isPresent()) {
      header(head, "Content-Type", "application/json");
    }
    if (body.isPresent() || !method.equals("GET")) {
      header(head, "Content-Length", Integer.toString(payload.length));
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[start.length + payload.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(payload, 0, all, start.length, payload.length);
    return all;
  }

  private static void header(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
}
