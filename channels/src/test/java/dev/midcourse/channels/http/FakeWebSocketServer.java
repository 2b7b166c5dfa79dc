package dev.midcourse.channels.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A small web socket server for fakes of platforms (RFC 6455, text messages, no extensions). */
public final class FakeWebSocketServer implements AutoCloseable {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int TEXT = 1;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int LOST = 1_006;

  private final ServerSocket server;
  private final Listener listener;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  /** What the platform does with its connections. */
  public interface Listener {
    void opened(Connection connection);

    void received(Connection connection, String text);

    /** The client has closed; 1006 if the connection was cut. */
    default void closed(Connection connection, int code) {}
  }

  public FakeWebSocketServer(Listener listener) throws IOException {
    this.listener = listener;
    this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public URI uri() {
    return URI.create("ws://127.0.0.1:" + server.getLocalPort());
  }

  public Set<Connection> connections() {
    return Set.copyOf(connections);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      Connection connection = new Connection(socket, handshake(in, socket.getOutputStream()));
      connections.add(connection);
      try {
        listener.opened(connection);
        connection.read(this, in);
      } finally {
        connections.remove(connection);
        listener.closed(connection, connection.closeCode);
      }
    } catch (IOException ended) {
      // The client has gone.
    }
  }

  /** Answers the request for a web socket; returns its path. */
  private static String handshake(DataInputStream in, OutputStream out) throws IOException {
    String path = line(in).split(" ", -1)[1];
    String key = "";
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
        key = line.substring(line.indexOf(':') + 1).strip();
      }
    }
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accept(key)
            + "\r\n\r\n";
    out.write(answer.getBytes(ISO_8859_1));
    out.flush();
    return path;
  }

  private static String accept(String key) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-1");
      return Base64.getEncoder().encodeToString(sha.digest((key + GUID).getBytes(ISO_8859_1)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
    connections.forEach(Connection::cut);
  }

  /** One client. */
  public static final class Connection {
    private final Socket socket;
    private final String path;
    private volatile int closeCode = LOST;

    private Connection(Socket socket, String path) {
      this.socket = socket;
      this.path = path;
    }

    /** The path and query with which the client connected. */
    public String path() {
      return path;
    }

    /** Sends a message; nothing happens if the client has gone. */
    public void send(String text) {
      write(TEXT, true, text.getBytes(UTF_8));
    }

    /** Sends a message in two fragments. */
    public void sendInTwo(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      int half = bytes.length / 2;
      write(TEXT, false, java.util.Arrays.copyOfRange(bytes, 0, half));
      write(0, true, java.util.Arrays.copyOfRange(bytes, half, bytes.length));
    }

    /** Closes with a code, as a server does. */
    public void close(int code, String reason) {
      byte[] words = reason.getBytes(UTF_8);
      byte[] body = new byte[words.length + 2];
      body[0] = (byte) (code >> 8);
      body[1] = (byte) code;
      System.arraycopy(words, 0, body, 2, words.length);
      write(CLOSE, true, body);
    }

    /** Cuts the connection without a word. */
    public void cut() {
      try {
        socket.close();
      } catch (IOException alreadyClosed) {
        // It is cut.
      }
    }

    private synchronized void write(int opcode, boolean isLast, byte[] body) {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      frame.write(isLast ? 0x80 | opcode : opcode);
      if (body.length < 126) {
        frame.write(body.length);
      } else if (body.length < 65_536) {
        frame.write(126);
        frame.write(body.length >> 8);
        frame.write(body.length);
      } else {
        frame.write(127);
        for (int shift = 56; shift >= 0; shift -= 8) {
          frame.write((int) ((long) body.length >> shift));
        }
      }
      frame.writeBytes(body);
      try {
        socket.getOutputStream().write(frame.toByteArray());
      } catch (IOException gone) {
        cut();
      }
    }

    private void read(FakeWebSocketServer server, DataInputStream in) throws IOException {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      while (true) {
        int first = in.readUnsignedByte();
        byte[] body = body(in);
        switch (first & 0x0f) {
          case CLOSE -> {
            closeCode = body.length < 2 ? 1_005 : ((body[0] & 0xff) << 8) | (body[1] & 0xff);
            write(CLOSE, true, body);
            return;
          }
          case PING -> write(PONG, true, body);
          case PONG -> {}
          default -> {
            message.writeBytes(body);
            if ((first & 0x80) != 0) {
              server.listener.received(this, message.toString(UTF_8));
              message.reset();
            }
          }
        }
      }
    }

    private static byte[] body(DataInputStream in) throws IOException {
      int second = in.readUnsignedByte();
      int length = second & 0x7f;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = Math.toIntExact(in.readLong());
      }
      byte[] mask = new byte[4];
      if ((second & 0x80) != 0) {
        in.readFully(mask);
      }
      byte[] body = new byte[length];
      in.readFully(body);
      for (int i = 0; i < body.length; i++) {
        body[i] ^= mask[i % 4];
      }
      return body;
    }
  }
}
