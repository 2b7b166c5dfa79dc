package dev.midcourse.ledger.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A proxy between a ledger and its PostgreSQL. It cuts the connection once, at the next commit:
 * before the server receives it, or after it, so that only the answer is lost.
 */
public final class CuttingProxy implements AutoCloseable {
  public enum Cut {
    NOT,
    BEFORE_THE_COMMIT,
    BEFORE_ITS_ANSWER
  }

  private final ServerSocket endpoint;
  private final int serverPort;
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NOT);

  public CuttingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.endpoint = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::acceptAll);
  }

  public int port() {
    return endpoint.getLocalPort();
  }

  public void cutNext(Cut cut) {
    next.set(cut);
  }

  @Override
  public void close() throws IOException {
    endpoint.close();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = endpoint.accept();
        new Line(client, new Socket(InetAddress.getLoopbackAddress(), serverPort)).start();
      }
    } catch (IOException _) {
      // The proxy is closed.
    }
  }

  private final class Line {
    private final Socket client;
    private final Socket server;
    private volatile boolean answerIsToBeLost;

    Line(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void start() {
      Thread.ofPlatform().daemon().start(this::toServer);
      Thread.ofPlatform().daemon().start(this::toClient);
    }

    private void toServer() {
      try (client;
          server) {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] bytes = new byte[64 * 1024];
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          if (commits(Arrays.copyOf(bytes, count))) {
            switch (next.getAndSet(Cut.NOT)) {
              case NOT -> {}
              case BEFORE_THE_COMMIT -> {
                return;
              }
              case BEFORE_ITS_ANSWER -> answerIsToBeLost = true;
            }
          }
          out.write(bytes, 0, count);
        }
      } catch (IOException _) {
        // One end has hung up, and so has the other.
      }
    }

    private void toClient() {
      try (client;
          server) {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] bytes = new byte[64 * 1024];
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          if (answerIsToBeLost) {
            return;
          }
          out.write(bytes, 0, count);
        }
      } catch (IOException _) {
        // One end has hung up, and so has the other.
      }
    }

    private static boolean commits(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      return text.contains("pg_notify") && text.contains("COMMIT");
    }
  }
}
