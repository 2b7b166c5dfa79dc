package dev.midcourse.channels.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.java_websocket.WebSocket;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.handshake.ClientHandshake;
import org.java_websocket.server.WebSocketServer;

/**
 * The sockets of the fake: tickets that are good once, a greeting, pings, envelopes that go to one
 * socket each, are acknowledged by their id and are delivered again if not.
 */
final class FakeSlackSockets implements AutoCloseable {
  private static final Duration PING_INTERVAL = Duration.ofMillis(200);
  private static final int MAX_SOCKETS = 10;

  private final Set<String> tickets = ConcurrentHashMap.newKeySet();
  private final List<WebSocket> open = new CopyOnWriteArrayList<>();
  private final Map<String, JsonValue.Obj> unacknowledged = new LinkedHashMap<>();
  private final CountDownLatch started = new CountDownLatch(1);
  private final Server server = new Server();
  private final Thread pinger = Thread.ofVirtual().unstarted(this::ping);
  final List<String> acknowledged = new CopyOnWriteArrayList<>();

  /** All that happened: opened, greeted, closed. */
  final List<String> history = new CopyOnWriteArrayList<>();

  volatile boolean silent;
  private volatile int reserved;
  private int ticketNumber;
  private int envelopeNumber;

  FakeSlackSockets() throws InterruptedException {
    server.setReuseAddr(true);
    server.setConnectionLostTimeout(0);
    server.start();
    started.await();
    pinger.start();
  }

  synchronized String ticket() {
    String ticket = "ticket-" + ++ticketNumber;
    tickets.add(ticket);
    return "ws://127.0.0.1:" + server.getPort() + "/link/?ticket=" + ticket;
  }

  /** Another program holds a socket of the app. */
  synchronized void reserve() {
    reserved = reserved + 1;
  }

  int count() {
    return open.size();
  }

  /**
   * Sends an envelope to one of the sockets; with none, it is gone as an event without a reader.
   */
  synchronized Optional<String> send(String type, JsonValue.Obj payload) {
    Optional<WebSocket> socket = open.stream().reduce((first, last) -> last);
    if (socket.isEmpty()) {
      return Optional.empty();
    }
    String id = "envelope-" + ++envelopeNumber;
    JsonValue.Obj envelope =
        JsonValue.object()
            .with("envelope_id", id)
            .with("type", type)
            .with("accepts_response_payload", type.equals("slash_commands"))
            .with("payload", payload);
    if (type.equals("events_api")) {
      envelope = envelope.with("retry_attempt", 0).with("retry_reason", "");
    }
    unacknowledged.put(id, envelope);
    try {
      socket.get().send(envelope.toString());
    } catch (WebsocketNotConnectedException closed) {
      history.add("lost " + id);
    }
    return Optional.of(id);
  }

  /** Delivers again what was not acknowledged, as Slack does after some minutes. */
  synchronized void redeliver() {
    for (JsonValue.Obj envelope : List.copyOf(unacknowledged.values())) {
      JsonValue.Obj again =
          envelope
              .with("retry_attempt", envelope.number("retry_attempt").orElse(0L) + 1)
              .with("retry_reason", "timeout");
      unacknowledged.put(envelope.string("envelope_id").orElseThrow(), again);
      open.stream().reduce((first, last) -> last).ifPresent(it -> it.send(again.toString()));
    }
  }

  synchronized int unacknowledged() {
    return unacknowledged.size();
  }

  void sendToOldest(String text) {
    open.getFirst().send(text);
  }

  void sendText(String text) {
    open.getLast().send(text);
  }

  void disconnect(String reason) {
    open.getLast()
        .send(
            JsonValue.object()
                .with("type", "disconnect")
                .with("reason", reason)
                .with("debug_info", JsonValue.object().with("host", "wss-1"))
                .toString());
  }

  /** Closes all sockets, as when the network is cut. */
  void cut() {
    List.copyOf(open).forEach(socket -> socket.closeConnection(1006, "cut"));
  }

  private void ping() {
    try {
      while (true) {
        Thread.sleep(PING_INTERVAL);
        if (!silent) {
          open.stream().filter(WebSocket::isOpen).forEach(WebSocket::sendPing);
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void acknowledge(String text) {
    JsonReader.readObject(text)
        .string("envelope_id")
        .ifPresent(id -> {
          unacknowledged.remove(id);
          acknowledged.add(id);
        });
  }

  @Override
  public void close() {
    pinger.interrupt();
    try {
      server.stop(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Server extends WebSocketServer {
    Server() {
      super(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    }

    @Override
    public void onStart() {
      started.countDown();
    }

    @Override
    public void onOpen(WebSocket socket, ClientHandshake handshake) {
      String query = handshake.getResourceDescriptor();
      String ticket = query.substring(query.indexOf('=') + 1);
      if (!tickets.remove(ticket)) {
        socket.close(1008, "no such ticket");
        return;
      }
      if (open.size() + reserved >= MAX_SOCKETS) {
        socket.send("{\"type\":\"disconnect\",\"reason\":\"too_many_websockets\"}");
        socket.close();
        return;
      }
      socket.setAttachment(ticket);
      history.add("open " + ticket);
      if (silent) {
        return;
      }
      socket.send(
          "{\"type\":\"hello\",\"num_connections\":1,\"debug_info\":{\"host\":\"wss-1\","
              + "\"approximate_connection_time\":18060},\"connection_info\":{\"app_id\":\"A0\"}}");
      open.add(socket);
    }

    @Override
    public void onMessage(WebSocket socket, String text) {
      acknowledge(text);
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason, boolean remote) {
      open.remove(socket);
      if (socket.getAttachment() instanceof String ticket) {
        history.add("close " + ticket);
      }
    }

    @Override
    public void onError(WebSocket socket, Exception problem) {
      history.add("error " + new String(String.valueOf(problem).getBytes(UTF_8), UTF_8));
    }
  }

  List<String> sockets() {
    return new ArrayList<>(history);
  }
}
