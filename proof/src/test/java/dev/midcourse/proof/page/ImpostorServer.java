package dev.midcourse.proof.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that took the port of a hub: keeps every request, and answers each with 200. */
final class ImpostorServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)");

  private final ServerSocket server;
  private final UnaryOperator<String> answer;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private ImpostorServer(ServerSocket server, UnaryOperator<String> answer) {
    this.server = server;
    this.answer = answer;
  }

  /**
   * @param answer the body for a request
   */
  static ImpostorServer at(int port, UnaryOperator<String> answer) throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    ImpostorServer impostor = new ImpostorServer(server, answer);
    Thread.ofVirtual().start(impostor::accept);
    return impostor;
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> talk(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void talk(Socket client) {
    try (client) {
      String request = read(client.getInputStream());
      if (request.isEmpty()) {
        return; // a browser opens connections ahead of its requests
      }
      requests.add(request);
      String body = answer.apply(request);
      String type = body.startsWith("<") ? "text/html" : "application/json";
      String response =
          "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(type, body.getBytes(UTF_8).length, body);
      client.getOutputStream().write(response.getBytes(UTF_8));
    } catch (IOException gone) {
      // The browser closed the connection.
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return bytes.toString(UTF_8);
      }
      bytes.write(next);
    }
    Matcher length = LENGTH.matcher(bytes.toString(UTF_8).toLowerCase(Locale.ROOT));
    if (length.find()) {
      bytes.write(in.readNBytes(Integer.parseInt(length.group(1))));
    }
    return bytes.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
