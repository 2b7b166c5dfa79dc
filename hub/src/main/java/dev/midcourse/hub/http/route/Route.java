package dev.midcourse.hub.http.route;

import dev.midcourse.core.Problem.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operation of the HTTP API: method, path, request, responses and handler. The published
 * description of the API is made from the table of routes.
 *
 * @param path begins with a slash; a part in braces is a parameter
 * @param refusals the errors of this route, in addition to those of every route
 * @param access whether the caller must be authenticated
 */
public record Route<B extends Record, Q extends Record>(
    Verb verb,
    String path,
    String summary,
    RequestType<B> body,
    Optional<Object> bodyExample,
    RequestType<Q> query,
    List<RouteResponse> replies,
    List<Code> refusals,
    Access access,
    Handler<B, Q> handler) {

  public Route {
    replies = List.copyOf(replies);
    refusals = List.copyOf(refusals);
  }

  /** The methods of HTTP that routes use. */
  public enum Verb {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** The callers that a route serves. */
  public enum Access {
    AUTHENTICATED,
    /** The request carries its own proof, or needs none. */
    ANYONE
  }

  /** For a route that takes no body, or no query. */
  public record Nothing() {}

  /** A body that the route reads itself: JSON in a format that another party defines. */
  public record Raw(String text) {}

  /** A body of any media type, for a request that proves its sender by itself. */
  public record SignedBody(String text) {}

  /** A query that the route reads itself, because another party names its parameters. */
  public record RawQuery(Map<String, String> values) {
    public RawQuery {
      values = Map.copyOf(values);
    }
  }

  /** A successful response of a route. */
  public record RouteResponse(
      int status, String words, String type, Class<?> shape, Object example) {}

  /** Handles the calls of a route. */
  @FunctionalInterface
  public interface Handler<B extends Record, Q extends Record> {
    ApiResponse handle(ApiCall<B, Q> call) throws InterruptedException;
  }

  public static RouteBuilder<Nothing, Nothing> get(String path, String summary) {
    return draft(Verb.GET, path, summary);
  }

  public static RouteBuilder<Nothing, Nothing> post(String path, String summary) {
    return draft(Verb.POST, path, summary);
  }

  public static RouteBuilder<Nothing, Nothing> patch(String path, String summary) {
    return draft(Verb.PATCH, path, summary);
  }

  public static RouteBuilder<Nothing, Nothing> delete(String path, String summary) {
    return draft(Verb.DELETE, path, summary);
  }

  private static RouteBuilder<Nothing, Nothing> draft(Verb verb, String path, String summary) {
    RequestType<Nothing> nothing = RequestType.of(Nothing.class);
    return new RouteBuilder<>(
        verb,
        path,
        summary,
        nothing,
        Optional.empty(),
        nothing,
        List.of(),
        List.of(),
        Access.AUTHENTICATED);
  }

  /** Builds a route; {@link #by} adds its handler. */
  public record RouteBuilder<B extends Record, Q extends Record>(
      Verb verb,
      String path,
      String summary,
      RequestType<B> body,
      Optional<Object> bodyExample,
      RequestType<Q> query,
      List<RouteResponse> replies,
      List<Code> refusals,
      Access access) {

    /** Adds a body of this type. */
    public <C extends Record> RouteBuilder<C, Q> takes(Class<C> form, C example) {
      return new RouteBuilder<>(
          verb,
          path,
          summary,
          RequestType.of(form),
          Optional.of(example),
          query,
          replies,
          refusals,
          access);
    }

    /** Adds the parameters of the query. */
    public <R extends Record> RouteBuilder<B, R> with(Class<R> form) {
      return new RouteBuilder<>(
          verb, path, summary, body, bodyExample, RequestType.of(form), replies, refusals, access);
    }

    /** Adds a response in JSON. */
    public RouteBuilder<B, Q> answers(int status, String words, Object example) {
      return answers(status, words, "application/json", example);
    }

    public RouteBuilder<B, Q> answers(int status, String words, String type, Object example) {
      List<RouteResponse> more = new ArrayList<>(replies);
      more.add(new RouteResponse(status, words, type, example.getClass(), example));
      return new RouteBuilder<>(
          verb, path, summary, body, bodyExample, query, more, refusals, access);
    }

    /** Adds the errors of this route. */
    public RouteBuilder<B, Q> refuses(Code... codes) {
      return new RouteBuilder<>(
          verb, path, summary, body, bodyExample, query, replies, List.of(codes), access);
    }

    /** Opens the route to unauthenticated callers. */
    public RouteBuilder<B, Q> forAnyone() {
      return new RouteBuilder<>(
          verb, path, summary, body, bodyExample, query, replies, refusals, Access.ANYONE);
    }

    public Route<B, Q> by(Handler<B, Q> handler) {
      return new Route<>(
          verb, path, summary, body, bodyExample, query, replies, refusals, access, handler);
    }
  }
}
