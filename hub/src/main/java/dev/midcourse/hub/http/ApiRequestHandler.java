package dev.midcourse.hub.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.ClientConnection;
import dev.midcourse.ledger.json.JsonCodec;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpSecurity;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Handles every request of every endpoint: checks the origin, authenticates the caller, limits rate
 * and size, then calls the route. Every error is answered as problem+json; the details of an
 * internal error are only in the log.
 */
public final class ApiRequestHandler implements HttpRouting {
  /** The largest prompt, and room for the rest of its request. */
  public static final int MAX_BODY = 1024 * 1024 + 256 * 1024;

  private static final Logger LOG = System.getLogger(ApiRequestHandler.class.getName());
  private static final String API = "/api/";
  private static final String MCP = "/mcp";
  private static final HeaderName DOOR = HeaderNames.create("Midcourse-Door");
  private static final String AS = "as";
  private static final String OUR_PROGRAMS = "midcourse-";
  private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
  private static final List<HeaderName> SHOWN_TO_ROUTES =
      List.of(
          LAST_EVENT_ID,
          HeaderNames.IF_NONE_MATCH,
          HeaderNames.create("Mcp-Session-Id"),
          HeaderNames.create("MCP-Protocol-Version"));
  private static final List<Header> ALWAYS =
      List.of(
          HeaderValues.create("X-Content-Type-Options", "nosniff"),
          HeaderValues.create("Referrer-Policy", "no-referrer"),
          HeaderValues.create("Cross-Origin-Resource-Policy", "same-origin"));
  private static final List<Header> ON_THE_API =
      List.of(
          HeaderValues.create("Cache-Control", "no-store"),
          HeaderValues.create("Content-Security-Policy", "default-src 'none'; sandbox"));

  private final HttpSecurity security = HttpSecurity.create();
  private final RouteTable routes;
  private final Page page;
  private final Voices voices;
  private final RateLimiters bounds;

  public ApiRequestHandler(RouteTable routes, Page page, Voices voices) {
    this(routes, page, voices, new RateLimiters(System::nanoTime));
  }

  ApiRequestHandler(RouteTable routes, Page page, Voices voices, RateLimiters bounds) {
    this.routes = routes;
    this.page = page;
    this.voices = voices;
    this.bounds = bounds;
  }

  /** What is at paths outside of the API, for everybody who gets through the door. */
  @FunctionalInterface
  public interface Page {
    Optional<ApiResponse> at(String path, Optional<String> ifNoneMatch);
  }

  /** Who it is that speaks when a caller says that it speaks as a group; refused if it may not. */
  @FunctionalInterface
  public interface Voices {
    Caller as(Caller caller, GroupName group);
  }

  @Override
  public void route(ConnectionContext ctx, RoutingRequest request, RoutingResponse response) {
    ClientConnection connection = (ClientConnection) ctx;
    boolean goOn = true;
    try {
      ApiResponse answer = answer(connection, request);
      if (answer instanceof ApiResponse.Flow(_, var length, _, _) && length.isEmpty()) {
        connection.socket().streams();
      }
      goOn = send(response, answer, request.prologue().uriPath().path());
    } catch (CloseConnectionException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the hub goes down", e);
    } catch (IOException e) {
      throw new ServerConnectionException("the client went away", e);
    }
    connection.socket().answered();
    // Helidon 4.5.0 would keep the socket open although one side said that it closes it.
    if (!goOn || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      throw new CloseConnectionException("the last request of this connection");
    }
  }

  private ApiResponse answer(ClientConnection connection, RoutingRequest request)
      throws IOException, InterruptedException {
    try {
      return found(connection, request);
    } catch (RefusedException e) {
      return refused(ErrorResponses.of(e));
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException e) {
      String reference = UUID.randomUUID().toString().substring(0, 8);
      LOG.log(
          Level.ERROR,
          "%s: %s %s failed"
              .formatted(
                  reference,
                  request.prologue().method().text(),
                  request.prologue().uriPath().rawPath()),
          e);
      return refused(ErrorResponses.ours(reference));
    }
  }

  private ApiResponse found(ClientConnection connection, RoutingRequest request)
      throws IOException, InterruptedException {
    ServerRequestHeaders headers = request.headers();
    Optional<Problem> foreign =
        OriginCheck.objection(
            connection.door(),
            header(headers, HeaderNames.HOST),
            header(headers, HeaderNames.ORIGIN),
            header(headers, FETCH_SITE));
    if (foreign.isPresent()) {
      return refused(ErrorResponses.of(foreign.get()));
    }
    String path = request.prologue().uriPath().path();
    String method = request.prologue().method().text();
    if (!path.startsWith(API) && !path.equals(MCP)) {
      return page(method, path, headers);
    }
    Caller caller = named(connection.caller(header(headers, HeaderNames.AUTHORIZATION)), headers);
    if (!bounds.tryAcquire(caller)) {
      return tooFast();
    }
    if (caller instanceof Caller.Unauthenticated(String why)) {
      return unproved(why);
    }
    Caller actingCaller = as(caller, request.query());
    return switch (routes.find(method, path)) {
      case RouteTable.RouteMatch.Match(var route, var named) ->
          call(route, actingCaller, named, request);
      case RouteTable.RouteMatch.WrongMethod(String allowed) ->
          new ApiResponse.Bytes(
              405,
              ErrorResponses.CONTENT_TYPE,
              ErrorResponses.wrongMethod(method, allowed).json(),
              Map.of("Allow", allowed));
      case RouteTable.RouteMatch.Nowhere() -> refused(ErrorResponses.notHere(path));
    };
  }

  private <B extends Record, Q extends Record> ApiResponse call(
      Route<B, Q> route, Caller actingCaller, Map<String, String> named, ServerRequest request)
      throws IOException, InterruptedException {
    byte[] body = body(request);
    if (body.length > 0 && !isJson(request.headers())) {
      return refused(ErrorResponses.wrongMedia());
    }
    Map<String, String> headers = new HashMap<>();
    for (HeaderName name : SHOWN_TO_ROUTES) {
      header(request.headers(), name).ifPresent(value -> headers.put(name.lowerCase(), value));
    }
    return route
        .handler()
        .handle(
            new ApiCall<>(
                actingCaller,
                named,
                route.body().read(body),
                route.query().read(withoutAs(request.query().toMap())),
                headers));
  }

  private ApiResponse page(String method, String path, ServerRequestHeaders headers) {
    if (!method.equals("GET")) {
      return refused(ErrorResponses.wrongMethod(method, "GET"));
    }
    return page.at(path, header(headers, HeaderNames.IF_NONE_MATCH))
        .orElseGet(() -> refused(ErrorResponses.notHere(path)));
  }

  /** A person may say through which program it speaks; an agent stays what it is. */
  private static Caller named(Caller caller, ServerRequestHeaders headers) {
    Optional<String> endpoint =
        header(headers, DOOR)
            .or(() ->
                header(headers, HeaderNames.USER_AGENT)
                    .filter(agent -> agent.startsWith(OUR_PROGRAMS))
                    .map(agent -> agent.substring(OUR_PROGRAMS.length())));
    if (endpoint.isEmpty() || !(caller instanceof Caller.Main)) {
      return caller;
    }
    Caller.Main main = new Caller.Main(endpoint.get());
    main.author(); // checks the name
    return main;
  }

  private Caller as(Caller caller, UriQuery query) {
    return query.contains(AS) ? voices.as(caller, GroupName.of(query.get(AS))) : caller;
  }

  private static Map<String, List<String>> withoutAs(Map<String, List<String>> query) {
    Map<String, List<String>> rest = new HashMap<>(query);
    rest.remove(AS);
    return rest;
  }

  private static byte[] body(ServerRequest request) throws IOException {
    if (request.headers().contentLength().orElse(0) > MAX_BODY) {
      throw tooLarge().refused();
    }
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (InputStream in = request.content().inputStream()) {
      byte[] bytes = in.readNBytes(MAX_BODY + 1);
      if (bytes.length > MAX_BODY) {
        throw tooLarge().refused();
      }
      return bytes;
    }
  }

  private static Problem tooLarge() {
    return Problem.of(
        Code.TOO_LARGE,
        "body",
        "at most " + MAX_BODY + " bytes",
        "the body is larger than " + MAX_BODY + " bytes");
  }

  private static boolean isJson(ServerRequestHeaders headers) {
    return header(headers, HeaderNames.CONTENT_TYPE)
        .map(type -> type.split(";", 2)[0].strip())
        .filter("application/json"::equalsIgnoreCase)
        .isPresent();
  }

  private static Optional<String> header(ServerRequestHeaders headers, HeaderName name) {
    return headers.first(name);
  }

  private static ApiResponse refused(ErrorResponses.Plain problem) {
    return new ApiResponse.Bytes(
        problem.status(), ErrorResponses.CONTENT_TYPE, problem.json(), Map.of());
  }

  private static ApiResponse unproved(String why) {
    Problem problem =
        Problem.of(Code.FORBIDDEN, "authorization", "Bearer and the token of the hub", why);
    return new ApiResponse.Bytes(
        401,
        ErrorResponses.CONTENT_TYPE,
        ErrorResponses.of(401, problem).json(),
        Map.of("WWW-Authenticate", "Bearer realm=\"midcourse\""));
  }

  private static ApiResponse tooFast() {
    Problem problem =
        Problem.of(Code.LIMIT, "rate", "fewer requests per second", "too many requests; slow down");
    return new ApiResponse.Bytes(
        429,
        ErrorResponses.CONTENT_TYPE,
        ErrorResponses.of(problem).json(),
        Map.of("Retry-After", "1"));
  }

  /** Sends it; false when the connection cannot be used again. */
  private static boolean send(RoutingResponse response, ApiResponse answer, String path)
      throws IOException, InterruptedException {
    ALWAYS.forEach(response::header);
    if (path.startsWith(API)) {
      ON_THE_API.forEach(response::header);
    }
    answer.headers().forEach((name, value) -> response.header(HeaderValues.create(name, value)));
    switch (answer) {
      case ApiResponse.Value(int status, Object body, _) -> {
        response.status(Status.create(status));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"));
        response.send(JsonCodec.write(body).getBytes(UTF_8));
      }
      case ApiResponse.Bytes(int status, String type, byte[] bytes, _) -> {
        response.status(Status.create(status));
        if (bytes.length > 0) {
          response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        }
        if (status == 413) {
          response.header(HeaderValues.CONNECTION_CLOSE);
        }
        response.send(bytes);
        return status != 413;
      }
      case ApiResponse.Flow(String type, var length, _, ApiResponse.Writer writer) -> {
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        length.ifPresent(response::contentLength);
        try (OutputStream out = response.outputStream()) {
          writer.write(out);
        }
        response.commit();
      }
    }
    return true;
  }

  @Override
  public HttpSecurity security() {
    return security;
  }

  @Override
  public void beforeStart() {}

  @Override
  public void afterStop() {}
}
