package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider that a test writes byte by byte: each connection is given to the conversation. */
final class RawProvider implements AutoCloseable {
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();

  private RawProvider(ServerSocket listener) {
    this.listener = listener;
  }

  /** What happens on one connection. It is closed afterwards. */
  @FunctionalInterface
  interface Conversation {
    void hold(Socket with) throws Exception;
  }

  static RawProvider start(Conversation conversation) throws IOException {
    return start(new ServerSocket(0, 512, InetAddress.ofLiteral("127.0.0.1")), conversation);
  }

  static RawProvider start(ServerSocket listener, Conversation conversation) {
    RawProvider provider = new RawProvider(listener);
    Thread.ofVirtual().start(() -> provider.accept(conversation));
    return provider;
  }

  private void accept(Conversation conversation) {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> hold(conversation, socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void hold(Conversation conversation, Socket socket) {
    try (socket) {
      conversation.hold(socket);
    } catch (Exception ended) {
      // The test sees the closed connection.
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
