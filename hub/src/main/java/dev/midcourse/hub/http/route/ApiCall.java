package dev.midcourse.hub.http.route;

import dev.midcourse.core.authority.Caller;
import java.util.Map;
import java.util.Optional;

/**
 * A request for a route, with its caller; all parts are validated.
 *
 * @param path the named parts of the path
 * @param headers the headers that routes may read, by name in lower case
 */
public record ApiCall<B extends Record, Q extends Record>(
    Caller caller, Map<String, String> path, B body, Q query, Map<String, String> headers) {
  public ApiCall {
    path = Map.copyOf(path);
    headers = Map.copyOf(headers);
  }

  /** Returns the value of a placeholder in the path of the route, which always has one. */
  public String path(String name) {
    String value = path.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  /** Returns the value of a header, if the request has it. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }
}
