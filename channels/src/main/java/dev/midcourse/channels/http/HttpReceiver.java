package dev.midcourse.channels.http;

import java.util.Map;
import java.util.Optional;

/**
 * A channel whose platform calls the hub. The hub passes every request to {@code
 * /api/v1/channels/NAME/updates}, of whatever sender: the channel must authenticate it.
 */
public interface HttpReceiver {
  /** Takes a request. Answers with success only when its updates are durable. */
  HttpReply receive(HttpCall call);

  /**
   * A request of a platform.
   *
   * @param method GET or POST
   * @param headers by lower-case name
   * @param body the text of the bytes as they came, in UTF-8
   */
  record HttpCall(
      String method, Map<String, String> headers, Map<String, String> query, String body) {
    public HttpCall {
      headers = Map.copyOf(headers);
      query = Map.copyOf(query);
    }

    public Optional<String> header(String lowerCaseName) {
      return Optional.ofNullable(headers.get(lowerCaseName));
    }
  }

  /** The answer to a request of a platform. */
  record HttpReply(int status, String contentType, String body) {
    public static HttpReply text(int status, String body) {
      return new HttpReply(status, "text/plain; charset=utf-8", body);
    }

    public static HttpReply json(String body) {
      return new HttpReply(200, "application/json", body);
    }
  }
}
