package dev.midcourse.hub.http.route;

import dev.midcourse.core.authority.Caller;
import java.util.Map;
import java.util.Optional;

/**
 * A request as a route sees it: who asks, and everything that came with it, already checked.
 *
 * @param path the parts of the path that have names
 * @param headers the few that routes may look at, by name in lower case
 */
public record ApiCall<B extends Record, Q extends Record>(
    Caller caller, Map<String, String> path, B body, Q query, Map<String, String> headers) {
  public ApiCall {
    path = Map.copyOf(path);
    headers = Map.copyOf(headers);
  }

  public String path(String name) {
    String value = path.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }
}
