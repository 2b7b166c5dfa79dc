package dev.midcourse.hub.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.BodyText.NotUtf8Exception;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.AuthenticationLease;
import dev.midcourse.hub.http.server.ChunkedReader.MalformedBodyException;
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
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Handles every request of every endpoint: checks the origin, authenticates the caller, limits rate
 * and size, then calls the route. Every error is answered as problem+json; the details of an
 * internal error are only in the log.
 */
public final class ApiRequestHandler implements HttpRouting {
  /** The maximum size of a prompt, and space for the other fields of its request. */
  public static final int MAX_BODY = 1024 * 1024 + 256 * 1024;

  private static final Logger LOG = System.getLogger(ApiRequestHandler.class.getName());
  private static final String API = "/api/";
  private static final String MCP = "/mcp";
  private static final HeaderName ORIGIN = HeaderNames.create("Midcourse-Origin");
  private static final String AS = "as";
  private static final String USER_AGENT_PREFIX = "midcourse-";
  private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
  private static final List<HeaderName> SHOWN_TO_ROUTES =
      List.of(
          LAST_EVENT_ID,
          HeaderNames.IF_NONE_MATCH,
          HeaderNames.create("Mcp-Session-Id"),
          HeaderNames.create("MCP-Protocol-Version"),
          HeaderNames.create(WebhookChannel.TIMESTAMP),
          HeaderNames.create(WebhookChannel.SIGNATURE),
          HeaderNames.create("X-Telegram-Bot-Api-Secret-Token"),
          HeaderNames.create("X-Slack-Signature"),
          HeaderNames.create("X-Slack-Request-Timestamp"),
          HeaderNames.create("X-Hub-Signature-256"),
          HeaderNames.create("X-GitHub-Event"),
          HeaderNames.create("X-GitHub-Delivery"),
          HeaderNames.create("X-Gitlab-Token"),
          HeaderNames.create("X-Gitea-Signature"));

  /** A repeated header could have another meaning for a proxy than for the hub. */
  private static final List<HeaderName> SINGLE_HEADERS =
      List.of(HeaderNames.HOST, HeaderNames.ORIGIN, HeaderNames.AUTHORIZATION, FETCH_SITE);

  private static final Header STRICT_TRANSPORT =
      HeaderValues.create("Strict-Transport-Security", "max-age=15552000");
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
  private final GroupCallers groupCallers;
  private final RateLimiters bounds;

  public ApiRequestHandler(RouteTable routes, Page page, GroupCallers groupCallers) {
    this(routes, page, groupCallers, new RateLimiters(System::nanoTime));
  }

  ApiRequestHandler(RouteTable routes, Page page, GroupCallers groupCallers, RateLimiters bounds) {
    this.routes = routes;
    this.page = page;
    this.groupCallers = groupCallers;
    this.bounds = bounds;
  }

  /** Serves the paths outside of the API, to every caller of the endpoint. */
  @FunctionalInterface
  public interface Page {
    Optional<ApiResponse> at(String path, Optional<String> ifNoneMatch);
  }

  /** Returns the group as a caller. Refuses if the caller may not act as the group. */
  @FunctionalInterface
  public interface GroupCallers {
    Caller as(Caller caller, GroupName group);
  }

  @Override
  public void route(ConnectionContext ctx, RoutingRequest request, RoutingResponse response) {
    ClientConnection connection = (ClientConnection) ctx;
    RequestBody body = new RequestBody(connection, request);
    boolean isLast = true;
    try {
      ApiResponse answer = answer(connection, request, body);
      if (answer instanceof ApiResponse.Flow flow && flow.length().isEmpty()) {
        connection.socket().streams();
        answer = leased(flow, connection, header(request.headers(), HeaderNames.AUTHORIZATION));
      }
      isLast = !body.isAtEnd() || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
      addHeaders(response, connection, request, answer);
      if (isLast) {
        response.header(HeaderValues.CONNECTION_CLOSE);
      }
      send(response, answer);
    } catch (CloseConnectionException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the hub goes down", e);
    } catch (IOException e) {
      throw new ServerConnectionException("the client went away", e);
    } catch (Error e) {
      // Helidon answers it but does not log it.
      LOG.log(Level.ERROR, "A request failed with an error of the program.", e);
      throw e;
    }
    connection.socket().answered();
    // Helidon 4.5.0 keeps the socket open although one side said that it closes it.
    if (isLast) {
      throw new CloseConnectionException("the last request of this connection");
    }
  }

  /** Ends the stream when the authentication of its caller ends. */
  private static ApiResponse leased(
      ApiResponse.Flow flow, ClientConnection connection, Optional<String> authorization) {
    return new ApiResponse.Flow(
        flow.type(),
        flow.length(),
        flow.headers(),
        out -> {
          try (AuthenticationLease lease = connection.lease(authorization)) {
            flow.writer().write(new LeasedOutputStream(out, lease));
          }
        });
  }

  private ApiResponse answer(ClientConnection connection, RoutingRequest request, RequestBody body)
      throws IOException, InterruptedException {
    try {
      return found(connection, request, body);
    } catch (RefusedException e) {
      return refused(ErrorResponses.of(e));
    } catch (MalformedBodyException e) {
      return refused(ErrorResponses.malformed(400, e.reason()));
    } catch (NotUtf8Exception e) {
      return refused(ErrorResponses.of(400, Problem.invalid("body", "UTF-8", e.reason())));
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException e) {
      String reference = UUID.randomUUID().toString().substring(0, 8);
      LOG.log(
          Level.ERROR,
          "Request %s failed: %s %s. The client got an internal error with this reference."
              .formatted(
                  reference,
                  request.prologue().method().text(),
                  request.prologue().uriPath().rawPath()),
          e);
      return refused(ErrorResponses.ours(reference));
    }
  }

  private ApiResponse found(ClientConnection connection, RoutingRequest request, RequestBody body)
      throws IOException, InterruptedException {
    ServerRequestHeaders headers = request.headers();
    Optional<HeaderName> repeated = SINGLE_HEADERS.stream().filter(repeatedIn(headers)).findFirst();
    if (repeated.isPresent()) {
      String name = repeated.get().defaultCase();
      return refused(ErrorResponses.malformed(400, "header " + name + " is there more than once"));
    }
    Optional<Problem> foreign =
        OriginCheck.objection(
            connection.endpoint(),
            header(headers, HeaderNames.HOST),
            header(headers, HeaderNames.ORIGIN),
            header(headers, FETCH_SITE));
    if (foreign.isPresent()) {
      return refused(ErrorResponses.of(foreign.get()));
    }
    String path = request.prologue().uriPath().path();
    String method = request.prologue().method().text();
    if (!isApi(path)) {
      return page(method, path, headers);
    }
    Caller caller = named(connection.caller(header(headers, HeaderNames.AUTHORIZATION)), headers);
    if (!bounds.tryAcquire(caller)) {
      return tooFast();
    }
    RouteTable.RouteMatch match = routes.find(method, path);
    if (caller instanceof Caller.Unauthenticated(String why) && !isForAnyone(match)) {
      return unproved(why);
    }
    Caller actingCaller = as(caller, request.query());
    return switch (match) {
      case RouteTable.RouteMatch.Match(var route, var named) ->
          call(route, actingCaller, named, request, body.read(MAX_BODY));
      case RouteTable.RouteMatch.WrongMethod(String allowed) ->
          new ApiResponse.Bytes(
              405,
              ErrorResponses.CONTENT_TYPE,
              ErrorResponses.wrongMethod(method, allowed).json(),
              Map.of("Allow", allowed));
      case RouteTable.RouteMatch.Nowhere() -> refused(ErrorResponses.notFound(path));
    };
  }

  private static boolean isForAnyone(RouteTable.RouteMatch match) {
    return match instanceof RouteTable.RouteMatch.Match(var route, _)
        && route.access() == Route.Access.ANYONE;
  }

  private <B extends Record, Q extends Record> ApiResponse call(
      Route<B, Q> route,
      Caller actingCaller,
      Map<String, String> named,
      ServerRequest request,
      byte[] body)
      throws InterruptedException {
    if (body.length > 0 && !route.body().takesAnyMedia() && !isJson(request.headers())) {
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
        .orElseGet(() -> refused(ErrorResponses.notFound(path)));
  }

  /** Adds the program that the request names to a caller that is main. An agent cannot name one. */
  private static Caller named(Caller caller, ServerRequestHeaders headers) {
    Optional<String> endpoint =
        header(headers, ORIGIN)
            .or(() ->
                header(headers, HeaderNames.USER_AGENT)
                    .filter(agent -> agent.startsWith(USER_AGENT_PREFIX))
                    .map(agent -> agent.substring(USER_AGENT_PREFIX.length())));
    if (endpoint.isEmpty() || !(caller instanceof Caller.Main)) {
      return caller;
    }
    Caller.Main main = new Caller.Main(endpoint.get());
    main.author(); // checks the name
    return main;
  }

  private Caller as(Caller caller, UriQuery query) {
    return query.contains(AS) ? groupCallers.as(caller, GroupName.of(query.get(AS))) : caller;
  }

  private static Map<String, List<String>> withoutAs(Map<String, List<String>> query) {
    Map<String, List<String>> rest = new HashMap<>(query);
    rest.remove(AS);
    return rest;
  }

  private static boolean isJson(ServerRequestHeaders headers) {
    return header(headers, HeaderNames.CONTENT_TYPE)
        .map(type -> type.split(";", 2)[0].strip())
        .filter("application/json"::equalsIgnoreCase)
        .isPresent();
  }

  private static Predicate<HeaderName> repeatedIn(ServerRequestHeaders headers) {
    return name -> headers.all(name, List::of).size() > 1;
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

  private static void addHeaders(
      RoutingResponse response,
      ClientConnection connection,
      RoutingRequest request,
      ApiResponse answer) {
    ALWAYS.forEach(response::header);
    if (isApi(request.prologue().uriPath().path())) {
      ON_THE_API.forEach(response::header);
    }
    if (connection.isSecure() && isName(header(request.headers(), HeaderNames.HOST).orElse(""))) {
      response.header(STRICT_TRANSPORT);
    }
    answer.headers().forEach((name, value) -> response.header(HeaderValues.create(name, value)));
  }

  /**
   * Whether browsers may remember to use TLS for this host. They remember it for all ports: for
   * {@code localhost} that would shut them out of every other program of this machine.
   */
  private static boolean isName(String host) {
    String name = OriginCheck.withoutPort(host.toLowerCase(Locale.ROOT));
    return !name.equals("localhost") && !name.startsWith("[") && !name.matches("[0-9.]*");
  }

  private static boolean isApi(String path) {
    return path.startsWith(API) || path.equals(MCP);
  }

  private static void send(RoutingResponse response, ApiResponse answer)
      throws IOException, InterruptedException {
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
        response.send(bytes);
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
