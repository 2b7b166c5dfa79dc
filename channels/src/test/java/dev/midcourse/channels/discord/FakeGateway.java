package dev.midcourse.channels.discord;

import dev.midcourse.channels.http.FakeWebSocketServer;
import dev.midcourse.channels.http.FakeWebSocketServer.Connection;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The gateway of the fake Discord: sessions with numbered events, resume in order, op 7 and 9,
 * heartbeats and close codes. The lock of the fake guards the sessions.
 */
final class FakeGateway implements FakeWebSocketServer.Listener, AutoCloseable {
  private static final int MESSAGE_CONTENT = 1 << 15;

  private final FakeWebSocketServer server;
  private final String token;
  private final Object lock;
  private final Supplier<JsonValue.Obj> ready;
  private final Supplier<List<JsonValue.Obj>> guilds;
  private final Map<String, Session> sessions = new LinkedHashMap<>();
  private final Map<Connection, Session> bound = new ConcurrentHashMap<>();
  private int named;

  final List<JsonValue.Obj> identifies = new CopyOnWriteArrayList<>();
  final List<JsonValue.Obj> resumes = new CopyOnWriteArrayList<>();
  final List<Integer> closeCodes = new CopyOnWriteArrayList<>();
  volatile boolean answersHeartbeats = true;
  volatile boolean grantsMessageContent = true;
  volatile boolean accepts = true;
  volatile int heartbeatMillis = 30_000;

  /** A session outlives its connections. */
  private static final class Session {
    private final String id;
    private final List<JsonValue.Obj> events = new ArrayList<>();
    private Optional<Connection> connection = Optional.empty();

    private Session(String id) {
      this.id = id;
    }

    private void add(String type, JsonValue data) {
      JsonValue.Obj event =
          JsonValue.object()
              .with("op", 0)
              .with("s", events.size() + 1)
              .with("t", type)
              .with("d", data);
      events.add(event);
      connection.ifPresent(to -> to.send(event.toString()));
    }
  }

  FakeGateway(
      Object lock,
      String token,
      Supplier<JsonValue.Obj> ready,
      Supplier<List<JsonValue.Obj>> guilds)
      throws IOException {
    this.lock = lock;
    this.token = token;
    this.ready = ready;
    this.guilds = guilds;
    this.server = new FakeWebSocketServer(this);
  }

  URI uri() {
    return server.uri();
  }

  @Override
  public void opened(Connection connection) {
    if (!accepts) {
      connection.cut();
      return;
    }
    connection.send(
        message(10, JsonValue.object().with("heartbeat_interval", heartbeatMillis)).toString());
  }

  @Override
  public void received(Connection connection, String text) {
    synchronized (lock) {
      JsonValue.Obj message = JsonReader.readObject(text);
      JsonValue.Obj data = message.object("d");
      switch (message.number("op").orElse(-1L).intValue()) {
        case 1 -> {
          if (answersHeartbeats) {
            connection.send(message(11, new JsonValue.Null()).toString());
          }
        }
        case 2 -> identify(connection, data);
        case 6 -> resume(connection, data);
        default -> {}
      }
    }
  }

  private void identify(Connection connection, JsonValue.Obj data) {
    identifies.add(data);
    if (!data.string("token").filter(token::equals).isPresent()) {
      connection.close(4_004, "Authentication failed.");
      return;
    }
    long intents = data.number("intents").orElse(0L);
    if ((intents & MESSAGE_CONTENT) != 0 && !grantsMessageContent) {
      connection.close(4_014, "Disallowed intent(s).");
      return;
    }
    Session session = new Session("session-" + ++named);
    sessions.put(session.id, session);
    session.connection = Optional.of(connection);
    bound.put(connection, session);
    session.add(
        "READY",
        ready.get().with("session_id", session.id).with("resume_gateway_url", uri().toString()));
    guilds.get().forEach(guild -> session.add("GUILD_CREATE", guild));
  }

  private void resume(Connection connection, JsonValue.Obj data) {
    resumes.add(data);
    Session session = sessions.get(data.string("session_id").orElse(""));
    if (session == null || !data.string("token").filter(token::equals).isPresent()) {
      connection.send(message(9, new JsonValue.Bool(false)).toString());
      return;
    }
    bound.put(connection, session);
    int from = data.number("seq").orElse(0L).intValue();
    session.connection = Optional.of(connection);
    List.copyOf(session.events.subList(from, session.events.size()))
        .forEach(event -> connection.send(event.toString()));
    session.add("RESUMED", JsonValue.object());
  }

  @Override
  public void closed(Connection connection, int code) {
    synchronized (lock) {
      closeCodes.add(code);
      Session session = bound.remove(connection);
      if (session != null) {
        session.connection = session.connection.filter(now -> now != connection);
        if (code == 1_000 || code == 1_001) {
          sessions.remove(session.id); // the client has said that it is done
        }
      }
    }
  }

  /** Tells an event to all sessions, also to those without a connection at the moment. */
  void dispatch(String type, JsonValue data) {
    synchronized (lock) {
      sessions.values().forEach(session -> session.add(type, data));
    }
  }

  /** Sends every event again that the sessions have had. */
  void repeatAll() {
    synchronized (lock) {
      for (Session session : sessions.values()) {
        session.connection.ifPresent(to ->
            session.events.stream()
                .filter(event -> !event.string("t").orElse("").equals("READY"))
                .forEach(event -> to.send(event.toString())));
      }
    }
  }

  void forgetSessions() {
    synchronized (lock) {
      sessions.clear();
    }
  }

  void askToReconnect() {
    server.connections().forEach(to -> to.send(message(7, new JsonValue.Null()).toString()));
  }

  void sayInvalidSession(boolean isResumable) {
    server
        .connections()
        .forEach(to -> to.send(message(9, new JsonValue.Bool(isResumable)).toString()));
  }

  void closeAll(int code) {
    server.connections().forEach(to -> to.close(code, "closed by the test"));
  }

  void cutAll() {
    server.connections().forEach(Connection::cut);
  }

  void sendRaw(String text) {
    server.connections().forEach(to -> to.sendInTwo(text));
  }

  int connections() {
    return server.connections().size();
  }

  private static JsonValue.Obj message(int op, JsonValue data) {
    return JsonValue.object()
        .with("op", op)
        .with("d", data)
        .with("s", new JsonValue.Null())
        .with("t", new JsonValue.Null());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
