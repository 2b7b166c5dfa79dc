package dev.midcourse.hub.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.hub.http.server.Authenticator.ConnectionAuthenticator;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** One client's connection as Helidon's HTTP/1.1 sees it. Served by one virtual thread. */
public final class ClientConnection implements ConnectionContext {
  private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);

  private final TimedSocket socket;
  private final Endpoint endpoint;
  private final ConnectionAuthenticator authenticator;
  private final ListenerContext context;
  private final Router router;
  private final DataReader reader;
  private final SocketWriter writer;

  public ClientConnection(
      TimedSocket socket,
      Endpoint endpoint,
      ConnectionAuthenticator authenticator,
      ListenerContext context,
      Router router) {
    this.socket = socket;
    this.endpoint = endpoint;
    this.authenticator = authenticator;
    this.context = context;
    this.router = router;
    this.reader = DataReader.create(socket);
    this.writer = SocketWriter.create(socket);
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public TimedSocket socket() {
    return socket;
  }

  /**
   * Returns the caller of a request. The first authenticated one lifts the limits for unknown
   * clients.
   */
  public Caller caller(Optional<String> authorization) {
    Caller caller = authenticator.authenticate(authorization);
    if (!(caller instanceof Caller.Unauthenticated)) {
      socket.authenticated();
    }
    return caller;
  }

  /** Tells a client that waits for it (RFC 9110, section 10.1.1) to send the body. */
  public void sendContinue() {
    try {
      writer.writeNow(BufferData.create(CONTINUE));
    } catch (SocketWriterException | UncheckedIOException e) {
      throw new CloseConnectionException("the client went away", e);
    }
  }

  /** Returns how long the caller may receive a stream; the connection closes when that ends. */
  public AuthenticationLease lease(Optional<String> authorization) {
    return authenticator.lease(authorization, socket::closeQuietly);
  }

  @Override
  public ListenerContext listenerContext() {
    return context;
  }

  @Override
  public ExecutorService executor() {
    return context.executor();
  }

  @Override
  public DataWriter dataWriter() {
    return writer;
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public Router router() {
    return router;
  }

  @Override
  public PeerInfo remotePeer() {
    return socket.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return socket.localPeer();
  }

  @Override
  public boolean isSecure() {
    return endpoint.tls().isPresent();
  }

  @Override
  public String socketId() {
    return socket.socketId();
  }

  @Override
  public String childSocketId() {
    return socket.childSocketId();
  }
}
