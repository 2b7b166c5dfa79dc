package dev.midcourse.autopilot.forge.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.net.URLEncoder;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a forge.
 *
 * @param target a path below the base of the forge that begins with a slash, or a whole address at
 *     the same host
 * @param write whether it changes something; writes go one after the other
 * @param limit the name of the limit that it counts for
 * @param headers replace those of the client
 */
public record ForgeRequest(
    String method,
    String target,
    Optional<String> body,
    boolean write,
    String limit,
    Map<String, String> headers) {
  private static final String DEFAULT_LIMIT = "core";

  public ForgeRequest {
    headers = Map.copyOf(headers);
  }

  public static ForgeRequest get(String target) {
    return new ForgeRequest("GET", target, Optional.empty(), false, DEFAULT_LIMIT, Map.of());
  }

  /** A request that changes something, with a JSON body. */
  public static ForgeRequest write(String method, String target, JsonValue body) {
    return new ForgeRequest(
        method,
        target,
        Optional.of(JsonWriter.compact(body)),
        true,
        DEFAULT_LIMIT,
        Map.of("Content-Type", "application/json"));
  }

  /** A request that changes something, without a body. */
  public static ForgeRequest write(String method, String target) {
    return new ForgeRequest(method, target, Optional.empty(), true, DEFAULT_LIMIT, Map.of());
  }

  /** A POST that changes nothing, such as a GraphQL query. */
  public static ForgeRequest query(String target, JsonValue body) {
    ForgeRequest post = write("POST", target, body);
    return new ForgeRequest("POST", target, post.body(), false, DEFAULT_LIMIT, post.headers());
  }

  public ForgeRequest withLimit(String replaced) {
    return new ForgeRequest(method, target, body, write, replaced, headers);
  }

  public ForgeRequest withHeaders(Map<String, String> replaced) {
    return new ForgeRequest(method, target, body, write, limit, replaced);
  }

  /** Encodes a text for one segment of a path, or for a value in a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** The method and the path, for messages; without the query. */
  String shown() {
    int query = target.indexOf('?');
    return method + " " + (query < 0 ? target : target.substring(0, query));
  }
}
