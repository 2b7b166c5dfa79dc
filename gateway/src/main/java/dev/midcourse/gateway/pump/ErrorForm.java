package dev.midcourse.gateway.pump;

import dev.midcourse.core.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Errors of the gateway itself, in the form in which the provider of the path gives its own. */
final class ErrorForm {
  private static final Map<Integer, String> REASONS =
      Map.of(
          400, "Bad Request",
          403, "Forbidden",
          426, "Upgrade Required",
          431, "Request Header Fields Too Large",
          502, "Bad Gateway");

  private ErrorForm() {}

  /** Returns the whole response. The connection ends after it. */
  static byte[] response(int status, String path, String message) {
    byte[] body = body(status, path, message).toString().getBytes(StandardCharsets.UTF_8);
    String upgrade = status == 426 ? "Upgrade: HTTP/1.1\r\n" : "";
    String head =
        "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n"
            .formatted(status, REASONS.getOrDefault(status, "Error"), body.length, upgrade);
    byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[start.length + body.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    return whole;
  }

  private static JsonValue.Obj body(int status, String path, String message) {
    JsonValue.Obj error = JsonValue.object().with("message", "Midcourse gateway: " + message);
    if (path.contains("/messages")) {
      String type =
          switch (status) {
            case 403 -> "permission_error";
            case 502 -> "api_error";
            default -> "invalid_request_error";
          };
      return JsonValue.object().with("type", "error").with("error", error.with("type", type));
    }
    if (path.contains("enerateContent") || path.contains("/v1internal")) {
      String name = status == 403 ? "PERMISSION_DENIED" : status == 502 ? "UNAVAILABLE" : "INVALID";
      return JsonValue.object()
          .with("error", error.with("code", (long) status).with("status", name));
    }
    return JsonValue.object()
        .with("error", error.with("type", "gateway_error").with("code", "status_" + status));
  }
}
