package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.BodyFraming;
import dev.midcourse.gateway.http.BodyPump;
import dev.midcourse.gateway.http.ByteSource;
import dev.midcourse.gateway.http.HeadReader;
import dev.midcourse.gateway.http.MalformedMessageException;
import dev.midcourse.gateway.http.MessageHead;
import dev.midcourse.gateway.http.RequestHead;
import dev.midcourse.gateway.http.TruncatedBodyException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves one connection of an agent: reads its requests one after the other and passes them on. The
 * responses are passed on by another thread, so that the end of the agent's connection is seen
 * while a response is on its way.
 */
final class AgentConnection {
  private static final Pattern TARGET = Pattern.compile("/([A-Za-z0-9_-]{16,128})(/.*|\\?.*|)");

  /** The most bytes of a refused request that are read, so that the agent reads the answer. */
  private static final long MAX_DISCARDED = 64L << 20;

  private final Link client;
  private final ByteSource source;
  private final RouteLookup routes;
  private final UpstreamConnector connector;
  private Optional<UpstreamConnection> upstream = Optional.empty();

  AgentConnection(Link client, RouteLookup routes, UpstreamConnector connector) {
    this.client = client;
    this.source = new ByteSource(client.in());
    this.routes = routes;
    this.connector = connector;
  }

  /** Returns when the connection has ended. */
  void serve() {
    try {
      boolean open = true;
      while (open) {
        open = serveNext();
      }
    } catch (IOException gone) {
      // The agent has closed its connection, or a request cannot be passed on.
    } finally {
      upstream.ifPresent(UpstreamConnection::close);
      client.close();
    }
  }

  /** Serves the next request. Returns whether another one can follow. */
  private boolean serveNext() throws IOException {
    RequestHead request;
    BodyFraming framing;
    try {
      Optional<MessageHead> head = HeadReader.read(source);
      if (head.isEmpty()) {
        upstream.ifPresent(AgentConnection::endAfterResponse);
        return false;
      }
      request = RequestHead.of(head.get());
      framing = BodyFraming.of(request);
    } catch (MalformedMessageException invalid) {
      return awaitIdle() && refuse(invalid.status(), "", String.valueOf(invalid.getMessage()));
    }
    if (!awaitIdle()) {
      return false;
    }
    if (request.asksForUpgrade()) {
      return refuse(426, request.target(), "only HTTP/1.1 is passed on");
    }
    Matcher target = TARGET.matcher(request.target());
    Optional<AttemptRoute> route =
        target.matches() ? routes.find(target.group(1)) : Optional.empty();
    if (route.isEmpty()) {
      return refuse(
          403, request.target(), "this address belongs to no attempt that is running here");
    }
    return pass(request.withTarget(target.group(2)), framing, route.get());
  }

  private boolean awaitIdle() {
    return upstream.map(UpstreamConnection::awaitIdle).orElse(true);
  }

  private static void endAfterResponse(UpstreamConnection connection) {
    connection.shutdownOutput();
    connection.awaitIdle();
  }

  private boolean pass(RequestHead request, BodyFraming framing, AttemptRoute route)
      throws IOException {
    Upstream to = route.upstream();
    Exchange exchange = new Exchange(request, route.begin(request));
    UpstreamConnection connection;
    try {
      connection = begin(to, exchange);
    } catch (IOException | RuntimeException failure) {
      exchange.observer().requestEnded(false);
      exchange.end(ExchangeEnd.UNREACHABLE, false);
      String why = to.origin() + " cannot be reached (" + failure.getMessage() + ")";
      return refuse(502, request.target(), why);
    }
    boolean whole = false;
    try {
      connection.out().write(forwarded(request, to).head().bytes());
      BodyPump.pump(source, connection.out(), framing, exchange::requestContent);
      whole = true;
      return true;
    } catch (TruncatedBodyException | MalformedMessageException gone) {
      connection.close();
      return false;
    } catch (IOException upstreamClosed) {
      // The provider may have answered before it closed; the other thread passes that on.
      connection.awaitIdle();
      return false;
    } finally {
      exchange.observer().requestEnded(whole);
    }
  }

  private UpstreamConnection begin(Upstream to, Exchange exchange) throws IOException {
    if (upstream.isPresent() && upstream.get().serves(to) && upstream.get().begin(exchange)) {
      return upstream.get();
    }
    upstream.ifPresent(UpstreamConnection::close);
    UpstreamConnection fresh = UpstreamConnection.start(to, connector.connect(to), client);
    upstream = Optional.of(fresh);
    if (!fresh.begin(exchange)) {
      throw new IOException("the connection was closed at once");
    }
    return fresh;
  }

  /**
   * Changes what must be changed: the path, the host, and the codings of the response to one that
   * can be read beside.
   */
  private static RequestHead forwarded(RequestHead request, Upstream to) {
    boolean gzip = request.head().hasToken("accept-encoding", "gzip");
    String path = to.path() + request.target();
    return request
        .withTarget(path.startsWith("/") ? path : "/" + path)
        .replacing("host", to.authority())
        .replacing("accept-encoding", gzip ? "gzip" : "identity");
  }

  /** Answers with an error, and ends the connection. */
  private boolean refuse(int status, String path, String message) throws IOException {
    client.out().write(ErrorForm.response(status, path, message));
    ClosingTimer.close(client);
    source.discard(MAX_DISCARDED);
    return false;
  }
}
