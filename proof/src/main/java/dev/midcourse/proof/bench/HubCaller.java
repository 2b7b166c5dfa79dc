package dev.midcourse.proof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/**
 * One HTTP/1.1 connection to a hub that is used again and again, with next to nothing of its own
 * between the socket and the measurement. For one caller at a time.
 */
final class HubCaller implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final String token;

  /** What was read and not yet looked at is from {@code begin} to {@code end}. */
  private byte[] held = new byte[2_048];

  private int begin;
  private int end;

  HubCaller(int port, String token) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = socket.getInputStream();
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
    while (end - begin < length) {
      more();
    }
    String body = new String(held, begin, length, UTF_8);
    begin += length;
    if (!status.startsWith("HTTP/1.1 2")) {
      throw new IOException(status + " " + body);
    }
    return body;
  }

  /** The next line, without its end. */
  String line() throws IOException {
    int looked = begin;
    while (true) {
      while (looked < end && held[looked] != '\n') {
        looked++;
      }
      if (looked < end) {
        int length = looked - begin - (looked > begin && held[looked - 1] == '\r' ? 1 : 0);
        String line = new String(held, begin, length, UTF_8);
        begin = looked + 1;
        return line;
      }
      looked -= begin;
      more();
    }
  }

  /** Reads on behind what is held, which then begins at 0. */
  private void more() throws IOException {
    System.arraycopy(held, begin, held, 0, end - begin);
    end -= begin;
    begin = 0;
    if (end == held.length) {
      held = Arrays.copyOf(held, 2 * end);
    }
    int count = in.read(held, end, held.length - end);
    if (count < 0) {
      throw new IOException("the hub has gone");
    }
    end += count;
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
