package dev.midcourse.gateway;

import dev.midcourse.gateway.process.GatewayFolder;
import dev.midcourse.gateway.process.GatewayFolder.GatewayState;
import dev.midcourse.gateway.pump.GatewayServer;
import dev.midcourse.gateway.pump.UpstreamConnector;
import dev.midcourse.gateway.record.AttemptRoutes;
import dev.midcourse.gateway.record.RouteFolder;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/**
 * The process of the gateway. Its only argument is its folder. It listens on the port of the
 * process before, and ends only when it is killed: the agents that use it outlive hubs.
 */
public final class GatewayMain {
  private static final int ALREADY_RUNNING = 3;

  private GatewayMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    GatewayFolder folder = GatewayFolder.open(Path.of(arguments[0]));
    FileChannel lockFile =
        FileChannel.open(folder.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = lockFile.tryLock();
    if (lock == null) {
      System.err.println("Another gateway holds " + folder.lock() + ".");
      System.exit(ALREADY_RUNNING);
    }
    AttemptRoutes routes =
        new AttemptRoutes(RouteFolder.open(folder.routes()), InstantSource.system());
    GatewayServer server = new GatewayServer(routes, UpstreamConnector.ofThisSystem());
    int port = listen(server, folder.state().map(GatewayState::port).orElse(0));
    listenLocally(server, folder.socket());
    folder.write(new GatewayState(port, ProcessHandle.current().pid(), mark()));
    new CountDownLatch(1).await();
  }

  /** Returns the mark that the hub gave to the process. */
  private static String mark() {
    return System.getenv().getOrDefault("MIDCOURSE_MARK", "");
  }

  private static int listen(GatewayServer server, int lastPort) throws IOException {
    try {
      return server.listen(lastPort);
    } catch (BindException taken) {
      System.err.println(
          "Port "
              + lastPort
              + " is in use ("
              + taken.getMessage()
              + "); listening on another one. Agents that run now do not find it.");
      return server.listen(0);
    }
  }

  /** The path of a Unix socket has at most about a hundred bytes. */
  private static void listenLocally(GatewayServer server, Path path) throws IOException {
    try {
      server.listen(path);
    } catch (SocketException tooLong) {
      System.err.println(
          "No Unix socket at " + path + " (" + tooLong.getMessage() + "); TCP works.");
    }
  }
}
