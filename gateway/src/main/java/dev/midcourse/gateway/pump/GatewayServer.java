package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Accepts connections of agents on loopback addresses and Unix sockets and serves each on a thread
 * of its own. At most {@link #MAX_CONNECTIONS} are open; further ones wait.
 */
public final class GatewayServer implements AutoCloseable {
  public static final int MAX_CONNECTIONS = 4096;

  private static final System.Logger LOG = System.getLogger(GatewayServer.class.getName());
  private static final int BACKLOG = 512;

  private final RouteLookup routes;
  private final UpstreamConnector connector;
  private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
  private final Set<Link> open = ConcurrentHashMap.newKeySet();
  private final List<AutoCloseable> listeners = new ArrayList<>();

  private volatile boolean closed;

  public GatewayServer(RouteLookup routes, UpstreamConnector connector) {
    this.routes = routes;
    this.connector = connector;
  }

  /** Listens on a port of the loopback address; 0 is any free one. Returns the port. */
  public int listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), BACKLOG);
    } catch (IOException failure) {
      socket.close();
      throw failure;
    }
    listeners.add(socket);
    accept(
        "gateway-tcp",
        () -> {
          Socket accepted = socket.accept();
          accepted.setTcpNoDelay(true);
          return SocketLink.of(accepted);
        });
    return socket.getLocalPort();
  }

  /** Listens on a Unix socket that only this user can open. A file at the path is replaced. */
  public void listen(Path path) throws IOException {
    Files.deleteIfExists(path);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException failure) {
      channel.close();
      throw failure;
    }
    listeners.add(channel);
    accept("gateway-unix", () -> ChannelLink.of(channel.accept()));
  }

  @FunctionalInterface
  private interface Acceptor {
    Link accept() throws IOException;
  }

  private void accept(String name, Acceptor acceptor) {
    Thread.ofVirtual()
        .name(name)
        .start(() -> {
          while (!closed) {
            try {
              free.acquire();
              serve(acceptor);
            } catch (InterruptedException asked) {
              return;
            }
          }
        });
  }

  private void serve(Acceptor acceptor) throws InterruptedException {
    Link link;
    try {
      link = acceptor.accept();
    } catch (ClosedChannelException closedByUs) {
      free.release();
      return;
    } catch (IOException failure) {
      free.release();
      if (!closed) {
        LOG.log(
            Level.WARNING,
            "Accepting a connection failed ({0}); trying again in 100 ms.",
            failure.getMessage());
        Thread.sleep(100);
      }
      return;
    }
    open.add(link);
    Thread.ofVirtual()
        .name("gateway-request")
        .start(() -> {
          try {
            new AgentConnection(link, routes, connector).serve();
          } finally {
            open.remove(link);
            free.release();
          }
        });
  }

  /** Closes the listeners and all connections. */
  @Override
  public void close() {
    closed = true;
    for (AutoCloseable listener : listeners) {
      try {
        listener.close();
      } catch (Exception failure) {
        LOG.log(Level.DEBUG, "Closing a listener failed: {0}", failure.getMessage());
      }
    }
    open.forEach(Link::close);
  }
}
