package dev.midcourse.hub.http.server;

import dev.midcourse.core.authority.Caller;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** One client's connection as Helidon's HTTP/1.1 sees it. Served by one virtual thread. */
public final class ClientConnection implements ConnectionContext {
  private final TimedSocket socket;
  private final Endpoint endpoint;
  private final Authenticator keeper;
  private final ListenerContext context;
  private final Router router;
  private final DataReader reader;
  private final SocketWriter writer;
  private Optional<Caller> caller = Optional.empty();

  public ClientConnection(
      TimedSocket socket,
      Endpoint endpoint,
      Authenticator keeper,
      ListenerContext context,
      Router router) {
    this.socket = socket;
    this.endpoint = endpoint;
    this.keeper = keeper;
    this.context = context;
    this.router = router;
    this.reader = DataReader.create(socket);
    this.writer = SocketWriter.create(socket);
  }

  public Endpoint door() {
    return endpoint;
  }

  public TimedSocket socket() {
    return socket;
  }

  /** Who calls; a door that knows it by the connection alone is asked once. */
  public Caller caller(Optional<String> authorization) {
    if (caller.isPresent()) {
      return caller.get();
    }
    Caller found = keeper.authenticate(socket.channel(), authorization);
    if (keeper.knowsByConnection()) {
      caller = Optional.of(found);
    }
    return found;
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
