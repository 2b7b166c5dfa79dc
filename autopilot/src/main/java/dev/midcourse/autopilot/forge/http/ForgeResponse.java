package dev.midcourse.autopilot.forge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.loop.forge.ForgeError;
import java.net.http.HttpHeaders;
import java.util.Optional;

/** The answer of a forge. */
public final class ForgeResponse {
  private final ForgeRequest request;
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;
  private final boolean unchanged;

  ForgeResponse(
      ForgeRequest request, int status, HttpHeaders headers, byte[] body, boolean unchanged) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.unchanged = unchanged;
  }

  /** The request that it answers, for messages. */
  public ForgeRequest request() {
    return request;
  }

  public int status() {
    return status;
  }

  public HttpHeaders headers() {
    return headers;
  }

  /** Whether the forge said that it is as before, and the body is that of the cache. */
  public boolean unchanged() {
    return unchanged;
  }

  int size() {
    return body.length;
  }

  /** The same answer, for a request to which the forge said that nothing has changed. */
  ForgeResponse forUnchanged(ForgeRequest again) {
    return new ForgeResponse(again, status, headers, body, true);
  }

  public boolean isSuccess() {
    return status / 100 == 2;
  }

  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  public String text() {
    return new String(body, UTF_8);
  }

  /** Returns the body. A body that is not JSON is an outage. */
  public JsonValue json() throws ForgeException {
    try {
      return JsonReader.read(text());
    } catch (JsonException e) {
      throw unreadable("JSON: " + e.getMessage());
    }
  }

  /** Returns the body. A body that is not an object is an outage. */
  public JsonValue.Obj object() throws ForgeException {
    if (json() instanceof JsonValue.Obj object) {
      return object;
    }
    throw unreadable("an object");
  }

  /** Returns the body. A body that is not an array is an outage. */
  public JsonValue.Arr array() throws ForgeException {
    if (json() instanceof JsonValue.Arr array) {
      return array;
    }
    throw unreadable("an array");
  }

  private ForgeException unreadable(String expected) {
    String message = request.shown() + ": the answer is not " + expected;
    return new ForgeException(new ForgeError.Outage(message), request.write());
  }

  /** Does not show the body, which may be large. */
  @Override
  public String toString() {
    return "ForgeResponse[" + request.shown() + ", " + status + "]";
  }
}
