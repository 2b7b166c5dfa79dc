package dev.midcourse.hub.http;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.ClientConnection;
import dev.midcourse.hub.http.server.ConnectionPlaces;
import dev.midcourse.hub.http.server.Endpoint;
import dev.midcourse.hub.http.server.SelfRequest;
import dev.midcourse.hub.http.server.TimedSocket;
import dev.midcourse.hub.http.server.TlsSettings;
import dev.midcourse.hub.http.server.TlsTransport;
import dev.midcourse.hub.http.server.Transport;
import dev.midcourse.ledger.RetryDelay;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/**
 * Accepts connections at one endpoint and serves each on a virtual thread with Helidon's HTTP/1.1.
 * It has its own acceptor because only the socket identifies the caller, and because slow clients
 * must be closed. Each endpoint has its own limit of connections, so a full one does not affect
 * another.
 */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = System.getLogger(HttpListener.class.getName());
  private static final int BACKLOG = 1024;
  private static final Duration DEADLINE_CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration ACCEPT_PAUSE = Duration.ofMillis(100);

  private final Endpoint endpoint;
  private final ServerSocketChannel server;
  private final Optional<SSLContext> tls;
  private final TimedSocket.Timeouts timeouts;
  private final ConnectionPlaces places;
  private final CompletableFuture<Helidon> helidon;
  private final Map<TimedSocket, ServerConnection> open = new ConcurrentHashMap<>();
  private final AtomicLong connectionsSinceStart = new AtomicLong();
  private volatile boolean accepting = true;

  private HttpListener(
      Endpoint endpoint,
      ServerSocketChannel server,
      Optional<SSLContext> tls,
      TimedSocket.Timeouts timeouts) {
    this.endpoint = endpoint;
    this.server = server;
    this.tls = tls;
    this.timeouts = timeouts;
    this.places = new ConnectionPlaces(endpoint.maxConnections());
    // In parallel with the start of the hub, because it is slow.
    this.helidon = CompletableFuture.supplyAsync(Helidon::new);
  }

  /** Binds the address; clients that connect wait until {@link #open}. */
  public static HttpListener bind(Endpoint endpoint) {
    return bind(endpoint, TimedSocket.Timeouts.DEFAULT);
  }

  public static HttpListener bind(Endpoint endpoint, TimedSocket.Timeouts timeouts) {
    Optional<SSLContext> tls = endpoint.tls().map(TlsSettings::context);
    try {
      boolean unix = endpoint.address() instanceof UnixDomainSocketAddress;
      ServerSocketChannel server =
          unix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
      if (!unix) {
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      server.bind(endpoint.address(), BACKLOG);
      return new HttpListener(endpoint, server, tls, timeouts);
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              endpoint.name(),
              "an address that is free",
              "cannot listen on " + endpoint.address() + ": " + e.getMessage()),
          e);
    }
  }

  /** Returns the port of a TCP endpoint. */
  public int port() {
    try {
      SocketAddress bound = server.getLocalAddress();
      return bound instanceof InetSocketAddress inet ? inet.getPort() : -1;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the number of connected clients. */
  public int connections() {
    return open.size();
  }

  /** Returns the number of connections since the start. */
  public long connectionsSinceStart() {
    return connectionsSinceStart.get();
  }

  /** Begins to accept connections. */
  public void open(ApiRequestHandler requestHandler, Authenticator keeper) {
    Http11 http = new Http11(helidon.join(), keeper, new SingleRouter(requestHandler));
    Thread.ofVirtual().name("listener-" + endpoint.name()).start(() -> accept(http));
    Thread.ofVirtual().name("sweep-" + endpoint.name()).start(this::sweep);
  }

  /**
   * Makes a request to this endpoint and waits for the answer, so that all classes of a response
   * are loaded before clients can use up the file descriptors that loading needs. Retries if the
   * connections of other clients displace it.
   */
  public void answerItself() {
    long until = System.nanoTime() + SelfRequest.TIMEOUT.toNanos();
    while (accepting) {
      try {
        new SelfRequest(server.getLocalAddress(), endpoint.tls()).send();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - until > 0) {
          LOG.log(
              Level.WARNING,
              "The hub cannot reach itself at {0} ({1}); clients may not reach it either.",
              endpoint.name(),
              e.getMessage());
          return;
        }
        RetryDelay.sleep(ACCEPT_PAUSE);
      }
    }
  }

  private void accept(Http11 http) {
    RetryDelay retry =
        new RetryDelay(
            LOG,
            ACCEPT_PAUSE,
            "Accepting a connection at " + endpoint.name(),
            "New clients wait; connected ones are served.");
    while (accepting) {
      try {
        SocketChannel channel = server.accept();
        retry.succeeded();
        connectionsSinceStart.incrementAndGet();
        TimedSocket socket = new TimedSocket(channel, line(channel), timeouts, endpoint.name());
        places.take(socket);
        Thread.ofVirtual().name("client-", 0).start(() -> serve(socket, http));
      } catch (ClosedChannelException e) {
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (IOException e) {
        // Out of file descriptors, or the client has gone: the listener goes on.
        retry.sleepAfter(e);
      }
    }
  }

  private Transport line(SocketChannel channel) {
    return tls.<Transport>map(context -> new TlsTransport(channel, context.createSSLEngine()))
        .orElseGet(() -> new Transport.PlainTransport(channel));
  }

  private void serve(TimedSocket socket, Http11 http) {
    try {
      if (socket.channel().getRemoteAddress() instanceof InetSocketAddress) {
        socket.channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      ServerConnection connection =
          http.helidon().selector().connection(http.connection(socket, endpoint));
      open.put(socket, connection);
      if (accepting) {
        connection.handle(http.helidon().limit());
      }
    } catch (CloseConnectionException | IOException e) {
      LOG.log(Level.TRACE, "a client closed its connection", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A connection at " + endpoint.name() + " failed and is closed.", e);
    } finally {
      // Removed after the close, so that the check of deadlines can still close a slow client.
      socket.close();
      open.remove(socket);
      places.leave(socket);
    }
  }

  private void sweep() {
    while (accepting || !open.isEmpty()) {
      long now = System.nanoTime();
      open.keySet().forEach(socket -> socket.closeIfOverdue(now));
      RetryDelay.sleep(DEADLINE_CHECK_INTERVAL);
    }
  }

  /**
   * Stops accepting connections. Current requests may finish within the time; then all connections
   * are closed.
   */
  public void close(Duration grace) {
    stopAccepting();
    open.forEach((socket, connection) -> connection.close(socket.isStreaming()));
    long until = System.nanoTime() + grace.toNanos();
    while (!open.isEmpty() && until - System.nanoTime() > 0) {
      RetryDelay.sleep(Duration.ofMillis(5));
    }
    open.keySet().forEach(TimedSocket::closeQuietly);
  }

  private void stopAccepting() {
    accepting = false;
    try {
      server.close();
    } catch (IOException e) {
      LOG.log(
          Level.WARNING, "Closing the listener {0} failed ({1}).", endpoint.name(), e.getMessage());
    }
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }

  /** Helidon's HTTP/1.1 for one endpoint. */
  private record Helidon(ListenerContext context, ServerConnectionSelector selector, Limit limit) {
    private static final int MAX_PROLOGUE = 8 * 1024;

    Helidon() {
      this(
          new HelidonListenerContext(),
          Http1ConnectionSelector.builder()
              .config(
                  Http1Config.builder()
                      .maxPrologueLength(MAX_PROLOGUE)
                      .sendKeepAliveHeader(false)
                      .build())
              .build(),
          FixedLimit.create());
    }
  }

  /** the router for the requests */
  private record Http11(Helidon helidon, Authenticator keeper, Router router) {
    ClientConnection connection(TimedSocket socket, Endpoint endpoint) {
      return new ClientConnection(
          socket, endpoint, keeper.accepted(socket.channel()), helidon.context(), router);
    }
  }
}
