package dev.midcourse.cli.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on a Unix socket that sends the bytes of a test, whatever the request is. It is for
 * behaviour that a correct server never shows.
 */
public final class FakeServer implements AutoCloseable {

  /** The behaviour on one connection, after its request was read. */
  public interface Conversation {
    void with(SocketChannel client) throws IOException, InterruptedException;
  }

  private final ServerSocketChannel server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Thread thread;

  public FakeServer(Path socket, Conversation conversation) throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    thread = Thread.ofPlatform().daemon().start(() -> serve(conversation));
  }

  /** Creates a server that always sends the same bytes and then closes the connection. */
  public static FakeServer saying(Path socket, String answer) throws IOException {
    return new FakeServer(socket, client -> say(client, answer));
  }

  /** Returns a response with a content length. */
  public static String answer(int status, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 " + status + " X\r\nContent-Length: " + length + "\r\n\r\n" + body;
  }

  public static void say(SocketChannel client, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      client.write(bytes);
    }
  }

  /** Returns all requests so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void serve(Conversation conversation) {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        Thread.ofVirtual().start(() -> talk(client, conversation));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void talk(SocketChannel client, Conversation conversation) {
    try (client) {
      requests.add(request(client));
      conversation.with(client);
    } catch (IOException gone) {
      // The client may close the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String request(SocketChannel client) throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (!whole(text)) {
      one.clear();
      if (client.read(one) < 0) {
        break;
      }
      text.append((char) (one.array()[0] & 0xFF));
    }
    return new String(
        text.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean whole(StringBuilder text) {
    int head = text.indexOf("\r\n\r\n");
    if (head < 0) {
      return false;
    }
    int at = text.indexOf("Content-Length: ");
    if (at < 0) {
      return true;
    }
    int length = Integer.parseInt(text.substring(at + 16, text.indexOf("\r\n", at)));
    return text.length() >= head + 4 + length;
  }

  @Override
  public void close() {
    try {
      server.close();
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
