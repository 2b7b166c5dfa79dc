package dev.midcourse.proof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/**
 * One HTTP/1.1 connection to a hub that is used again and again, with next to nothing of its own
 * between the socket and the measurement. For one caller at a time.
 */
final class HubCaller implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final String token;

  HubCaller(int port, String token) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.token = token;
  }

  String get(String path) throws IOException {
    send("GET " + path, "");
    return answer();
  }

  String post(String path, String body) throws IOException {
    send("POST " + path, body);
    return answer();
  }

  /** Begins to listen; from here on only {@link #line} is of use. */
  void listen(String query) throws IOException {
    send("GET /events" + query, "");
    while (!line().startsWith("retry: ")) {
      // The head of the answer.
    }
  }

  private void send(String what, String body) throws IOException {
    int space = what.indexOf(' ');
    StringBuilder request = new StringBuilder(what.substring(0, space));
    request.append(" /api/v1").append(what, space + 1, what.length());
    request.append(" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ").append(token);
    if (!body.isEmpty()) {
      request.append("\r\nContent-Type: application/json\r\nContent-Length: ");
      request.append(body.getBytes(UTF_8).length);
    }
    request.append("\r\n\r\n").append(body);
    socket.getOutputStream().write(request.toString().getBytes(UTF_8));
  }

  private String answer() throws IOException {
    String status = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).strip());
      }
    }
    String body = new String(in.readNBytes(length), UTF_8);
    if (!status.startsWith("HTTP/1.1 2")) {
      throw new IOException(status + " " + body);
    }
    return body;
  }

  /** The next line, without its end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the hub has gone");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  /** What stands in a field of a flat piece of JSON, as text. */
  static String field(String json, String name) {
    String start = "\"" + name + "\":\"";
    int at = json.indexOf(start) + start.length();
    return json.substring(at, json.indexOf('"', at));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
