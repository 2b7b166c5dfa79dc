package dev.midcourse.channels.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A fake of Slack on the loopback: web API, sockets, files, and what people do. Models what makes
 * Slack hard: two events for one mention, a login page instead of a file, an edit that drops
 * buttons, text that is cut without an error, errors with status 200, and limits of rates.
 */
final class FakeSlack implements AutoCloseable {
  static final String BOT_TOKEN = "xoxb-1-bot-token-of-the-test";
  static final String APP_TOKEN = "xapp-1-app-token-of-the-test";
  static final String BOT = "U0BOT";
  static final String BOT_ID = "B0BOT";
  static final String TEAM = "T0TEAM";
  static final String ANN = "U0ANN";
  static final String CHANNEL = "C0GENERAL";
  static final String DIRECT = "D0ANN";

  final FakeSlackSockets sockets;
  final FakeSlackMessages store;
  final List<Call> calls = new CopyOnWriteArrayList<>();
  final List<String> answered = new CopyOnWriteArrayList<>();
  final List<String> responses = new CopyOnWriteArrayList<>();
  final Map<String, String> uploads = new ConcurrentHashMap<>();
  volatile String scopes =
      "chat:write,app_mentions:read,channels:history,groups:history,im:history,mpim:history,"
          + "channels:read,groups:read,im:read,mpim:read,users:read,reactions:read,"
          + "reactions:write,files:read,files:write";
  volatile boolean revoked;
  volatile boolean emitsEvents = true;

  private final HttpServer server;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, Queue<Fault>> faults = new ConcurrentHashMap<>();
  private int number;
  private final long second;

  /** A call of the web API. */
  record Call(String method, String token, Map<String, String> arguments) {}

  /** What happens to the next call of a method. */
  sealed interface Fault {
    record Fails(String error) implements Fault {}

    record Limits(String seconds) implements Fault {}

    record Breaks(int status) implements Fault {}

    /** Carries the call out and never answers. */
    record Hangs() implements Fault {}

    /** Carries the call out and cuts the connection. */
    record Cuts() implements Fault {}
  }

  FakeSlack(long second) throws IOException, InterruptedException {
    this.second = second;
    this.store = new FakeSlackMessages(second);
    this.sockets = new FakeSlackSockets();
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/api/", this::api);
    server.createContext("/upload/", this::upload);
    server.createContext("/files/", this::file);
    server.createContext(
        "/response/",
        exchange -> {
          responses.add(body(exchange));
          answer(exchange, 200, "text/plain", "ok");
        });
    server.start();
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  URI api() {
    return url("/api/");
  }

  JsonValue.Obj message(String chat, String ts) {
    return store.message(chat, ts);
  }

  List<JsonValue.Obj> messages(String chat) {
    return store.messages(chat);
  }

  List<String> reactions(String chat, String ts) {
    return store.reactions(chat, ts);
  }

  void next(String method, Fault fault) {
    faults.computeIfAbsent(method, key -> new ConcurrentLinkedQueue<>()).add(fault);
  }

  List<Call> calls(String method) {
    return calls.stream().filter(call -> call.method().equals(method)).toList();
  }

  // What people do.

  String say(String chat, String user, String text) {
    return say(chat, user, text, Optional.empty(), JsonValue.object());
  }

  String reply(String chat, String thread, String user, String text) {
    return say(chat, user, text, Optional.of(thread), JsonValue.object());
  }

  String say(String chat, String user, String text, Optional<String> thread, JsonValue.Obj more) {
    JsonValue.Obj event;
    synchronized (this) {
      String ts = store.nextTs();
      JsonValue.Obj message =
          JsonValue.object()
              .with("type", "message")
              .with("user", user)
              .with("text", text)
              .with("ts", ts)
              .with("team", TEAM);
      message = store.inThread(chat, message, thread, user);
      for (Map.Entry<String, JsonValue> field : more.fields().entrySet()) {
        message = message.with(field.getKey(), field.getValue());
      }
      store.put(chat, message);
      event = message;
    }
    emitMessage(chat, event);
    return event.string("ts").orElseThrow();
  }

  /** A mention in a channel is two events, with different ids. */
  private void emitMessage(String chat, JsonValue.Obj message) {
    JsonValue.Obj event =
        message
            .with("channel", chat)
            .with("channel_type", chat.startsWith("D") ? "im" : "channel")
            .with("event_ts", message.string("ts").orElse(""));
    emit(event);
    if (!chat.startsWith("D") && message.string("text").orElse("").contains("<@" + BOT + ">")) {
      emit(
          JsonValue.object()
              .with("type", "app_mention")
              .with("user", message.string("user"))
              .with("text", message.string("text"))
              .with("ts", message.string("ts"))
              .with("thread_ts", message.string("thread_ts"))
              .with("parent_user_id", message.string("parent_user_id"))
              .with("channel", chat)
              .with("event_ts", message.string("ts").orElse("")));
    }
  }

  void edit(String chat, String ts, String text) {
    JsonValue.Obj before = store.message(chat, ts);
    JsonValue.Obj after;
    synchronized (this) {
      after =
          before
              .with("text", text)
              .with(
                  "edited",
                  JsonValue.object()
                      .with("user", before.string("user").orElse(""))
                      .with("ts", store.nextTs()));
      store.put(chat, after);
    }
    emitChanged(chat, before, after);
  }

  /** Slack adds the preview of a link: a change that no person made. */
  void unfurl(String chat, String ts) {
    JsonValue.Obj before = store.message(chat, ts);
    emitChanged(
        chat,
        before,
        before.with("attachments", new JsonValue.Arr(List.of(JsonValue.object().with("id", 1)))));
  }

  void emitChanged(String chat, JsonValue.Obj before, JsonValue.Obj after) {
    emit(
        JsonValue.object()
            .with("type", "message")
            .with("subtype", "message_changed")
            .with("channel", chat)
            .with("channel_type", chat.startsWith("D") ? "im" : "channel")
            .with("hidden", true)
            .with("ts", after.object("edited").string("ts").or(() -> after.string("ts")))
            .with("message", after)
            .with("previous_message", before));
  }

  void delete(String chat, String ts) {
    JsonValue.Obj before = store.message(chat, ts);
    store.remove(chat, ts);
    emit(
        JsonValue.object()
            .with("type", "message")
            .with("subtype", "message_deleted")
            .with("channel", chat)
            .with("hidden", true)
            .with("ts", ts)
            .with("deleted_ts", ts)
            .with("previous_message", before));
  }

  void click(String chat, String ts, String user, int button) {
    List<JsonValue.Obj> elements =
        store.message(chat, ts).objects("blocks").stream()
            .filter(block -> block.string("type").equals(Optional.of("actions")))
            .flatMap(block -> block.objects("elements").stream())
            .toList();
    sockets.send("interactive", click(chat, ts, user, elements.get(button)));
  }

  JsonValue.Obj click(String chat, String ts, String user, JsonValue.Obj button) {
    return JsonValue.object()
        .with("type", "block_actions")
        .with("team", JsonValue.object().with("id", TEAM))
        .with("user", JsonValue.object().with("id", user).with("username", "ann"))
        .with("channel", JsonValue.object().with("id", chat))
        .with("message", store.message(chat, ts).with("ts", ts))
        .with("response_url", url("/response/1").toString())
        .with("trigger_id", "1.2.3")
        .with(
            "actions",
            new JsonValue.Arr(
                List.of(button.with("type", "button").with("action_ts", store.nextTs()))));
  }

  /** Sends an event to one socket of the app. */
  void emit(JsonValue.Obj event) {
    if (emitsEvents) {
      sockets.send("events_api", callback(event));
    }
  }

  synchronized JsonValue.Obj callback(JsonValue.Obj event) {
    return JsonValue.object()
        .with("token", "legacy")
        .with("team_id", TEAM)
        .with("api_app_id", "A0")
        .with("event", event)
        .with("type", "event_callback")
        .with("event_id", "Ev" + ++number)
        .with("event_time", second)
        .with(
            "authorizations",
            new JsonValue.Arr(
                List.of(
                    JsonValue.object()
                        .with("team_id", TEAM)
                        .with("user_id", BOT)
                        .with("is_bot", true))));
  }

  // The web API.

  private void api(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestURI().getPath().substring("/api/".length());
    String token =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
            .orElse("")
            .replaceFirst("^Bearer ", "");
    Map<String, String> arguments = form(body(exchange));
    calls.add(new Call(method, token, arguments));
    Fault fault = faults.getOrDefault(method, new ConcurrentLinkedQueue<>()).poll();
    switch (fault) {
      case null -> {
        answer(exchange, 200, JSON, result(method, token, arguments).toString());
        answered.add(method);
      }
      case Fault.Fails(String error) ->
          answer(exchange, 200, JSON, FakeSlackMessages.error(error).toString());
      case Fault.Breaks(int status) -> answer(exchange, status, "text/html", "<html>down</html>");
      case Fault.Limits(String seconds) -> {
        exchange.getResponseHeaders().set("Retry-After", seconds);
        answer(exchange, 429, JSON, FakeSlackMessages.error("ratelimited").toString());
      }
      case Fault.Hangs() -> {
        result(method, token, arguments);
        try {
          closed.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        exchange.close();
      }
      case Fault.Cuts() -> {
        result(method, token, arguments);
        exchange.close();
      }
    }
  }

  private static final String JSON = "application/json; charset=utf-8";

  private synchronized JsonValue.Obj result(
      String method, String token, Map<String, String> arguments) {
    String wanted = method.equals("apps.connections.open") ? APP_TOKEN : BOT_TOKEN;
    if (revoked) {
      return FakeSlackMessages.error("token_revoked");
    }
    if (!token.equals(wanted)) {
      return FakeSlackMessages.error("invalid_auth");
    }
    return switch (method) {
      case "auth.test" ->
          FakeSlackMessages.ok()
              .with("url", "https://t.slack.com/")
              .with("team", "The team")
              .with("user", "midcourse")
              .with("team_id", TEAM)
              .with("user_id", BOT)
              .with("bot_id", BOT_ID);
      case "apps.connections.open" -> FakeSlackMessages.ok().with("url", sockets.ticket());
      case "users.info" -> FakeSlackMessages.user(arguments.getOrDefault("user", ""));
      case "conversations.info" -> store.conversation(arguments.getOrDefault("channel", ""));
      case "users.conversations" -> store.conversations();
      case "conversations.history" -> store.history(arguments);
      case "conversations.replies" -> store.replies(arguments);
      case "chat.postMessage" -> store.post(arguments);
      case "chat.update" -> store.update(arguments);
      case "reactions.add", "reactions.remove" -> store.react(method, arguments);
      case "reactions.get" -> store.reactionsOf(arguments);
      case "files.getUploadURLExternal" ->
          FakeSlackMessages.ok()
              .with("upload_url", url("/upload/F" + ++number).toString())
              .with("file_id", "F" + number);
      case "files.completeUploadExternal" -> complete(arguments);
      case "files.info" ->
          FakeSlackMessages.ok()
              .with(
                  "file",
                  JsonValue.object().with("url_private_download", url("/files/plan").toString()));
      case "assistant.threads.setStatus" -> FakeSlackMessages.ok();
      default -> FakeSlackMessages.error("unknown_method");
    };
  }

  // Files.

  private JsonValue.Obj complete(Map<String, String> arguments) {
    String files = arguments.getOrDefault("files", "[]");
    String id =
        ((JsonValue.Arr) JsonReader.read(files)).objects().getFirst().string("id").orElse("");
    if (!uploads.containsKey(id)) {
      return FakeSlackMessages.error("file_not_found");
    }
    String chat = arguments.getOrDefault("channel_id", "");
    if (!store.has(chat)) {
      return FakeSlackMessages.error("channel_not_found");
    }
    store.put(
        chat,
        JsonValue.object()
            .with("type", "message")
            .with("user", BOT)
            .with("ts", store.nextTs())
            .with("text", arguments.getOrDefault("initial_comment", ""))
            .with("files", JsonReader.read(files)));
    return FakeSlackMessages.ok().with("files", JsonReader.read(files));
  }

  private void upload(HttpExchange exchange) throws IOException {
    String id = exchange.getRequestURI().getPath().substring("/upload/".length());
    Fault fault = faults.getOrDefault("upload", new ConcurrentLinkedQueue<>()).poll();
    String content = body(exchange);
    if (fault instanceof Fault.Breaks(int status)) {
      answer(exchange, status, "text/plain", "down");
      return;
    }
    uploads.put(id, content);
    answer(exchange, 200, "text/plain", "OK - " + content.length());
  }

  /** Without a good token, Slack answers with its login page and success. */
  private void file(HttpExchange exchange) throws IOException {
    String token =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
    if (exchange.getRequestURI().getPath().endsWith("/moved")) {
      exchange.getResponseHeaders().set("Location", "https://files.example.org/plan");
      answer(exchange, 302, "text/plain", "");
    } else if (token.equals("Bearer " + BOT_TOKEN) && scopes.contains("files:read")) {
      answer(exchange, 200, "text/plain", "the plan");
    } else {
      answer(exchange, 200, "text/html", "\n<!DOCTYPE html><html><body>Sign in</body></html>");
    }
  }

  private static Map<String, String> form(String body) {
    Map<String, String> fields = new HashMap<>();
    for (String pair : body.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields.put(
            URLDecoder.decode(pair.substring(0, equals), UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    return fields;
  }

  private static String body(HttpExchange exchange) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("X-OAuth-Scopes", scopes);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    sockets.close();
    server.stop(0);
  }
}
