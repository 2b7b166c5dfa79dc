package dev.midcourse.channels.telegram;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * A Telegram on loopback with one bot. Checks every call against {@link BotApi}; {@link
 * #violations} must stay empty. TelegramClientsTest shows that clients of other people take it for
 * Telegram.
 */
final class FakeTelegram implements AutoCloseable {
  static final String TOKEN = "123456:AAfake-token_that_must_never_be_shown";
  static final long BOT = 123456;
  static final String USERNAME = "mid_bot";

  /** A call as it came. */
  record Call(String method, Obj parameters, Map<String, FakeForm.Upload> files) {}

  final List<Call> calls = new CopyOnWriteArrayList<>();
  final List<String> violations = new CopyOnWriteArrayList<>();
  final FakeChats chats = new FakeChats();
  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  final Map<String, String> filePaths = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final Map<String, Obj> failures = new ConcurrentHashMap<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<String> answered = new HashSet<>();
  private final Map<String, String> webhook = new LinkedHashMap<>(); // guarded by itself
  private volatile FakeUpdates updates;
  private volatile boolean tokenIsValid = true;
  private volatile boolean readsGroups = true;

  FakeTelegram(InstantSource clock) throws IOException {
    updates = new FakeUpdates(clock, 500_000);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  FakeUpdates updates() {
    return updates;
  }

  long push(Obj update) {
    violations.addAll(
        BotApi.INSTANCE.problemsOf(
            "Update",
            Obj.EMPTY
                .with("update_id", 1)
                .with(
                    update.fields().keySet().iterator().next(),
                    update.fields().values().iterator().next())));
    return updates.push(update);
  }

  void revokeToken() {
    tokenIsValid = false;
    updates.close();
  }

  void hideGroups() {
    readsGroups = false;
  }

  /** The next call of the method gets this failure. */
  void failNext(String method, int code, String description, Obj parameters) {
    failures.put(
        method,
        Obj.EMPTY
            .with("ok", false)
            .with("error_code", code)
            .with("description", description)
            .with("parameters", parameters));
  }

  /** Each call of the method gets a failure until {@link #recover}. */
  void failUntilRecovery(String method) {
    failing.add(method);
  }

  void recover(String method) {
    failing.remove(method);
  }

  /** The next call of the method is carried out and its connection cut before the answer. */
  void cutNext(String method) {
    cut.add(method);
  }

  List<Call> calls(String method) {
    return calls.stream().filter(call -> call.method().equals(method)).toList();
  }

  void setWebhook(String url, String secret) {
    synchronized (webhook) {
      webhook.put("url", url);
      webhook.put("secret", secret);
    }
  }

  String webhookUrl() {
    synchronized (webhook) {
      return webhook.getOrDefault("url", "");
    }
  }

  String webhookSecret() {
    synchronized (webhook) {
      return webhook.getOrDefault("secret", "");
    }
  }

  /** Posts what waits, in its order; stops at an update that is not taken. Returns the statuses. */
  List<Integer> deliver(HttpReceiver to) {
    List<Integer> statuses = new ArrayList<>();
    for (Obj update : updates.pending()) {
      var reply =
          to.receive(
              new HttpReceiver.HttpCall(
                  "POST",
                  Map.of("x-telegram-bot-api-secret-token", webhookSecret()),
                  Map.of(),
                  update.toString()));
      statuses.add(reply.status());
      if (reply.status() / 100 != 2) {
        break;
      }
      updates.forget(update.number("update_id").orElseThrow());
    }
    return statuses;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (path.startsWith("/file/bot" + TOKEN + "/")) {
        file(exchange, path.substring(("/file/bot" + TOKEN + "/").length()));
        return;
      }
      if (!path.startsWith("/bot" + TOKEN + "/") || !tokenIsValid) {
        answer(exchange, FakeAnswers.failure(401, "Unauthorized", Obj.EMPTY));
        return;
      }
      String method = path.substring(path.lastIndexOf('/') + 1);
      String type =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse("");
      String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
      FakeForm form = FakeForm.read(method, query, type, body);
      Obj answer = answer(method, form);
      if (!cut.remove(method)) {
        answer(exchange, answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Obj answer(String method, FakeForm form) throws InterruptedException {
    calls.add(new Call(method, form.parameters(), form.files()));
    violations.addAll(
        BotApi.INSTANCE.problemsOfCall(method, form.parameters(), form.files().keySet()));
    Obj failure = failures.remove(method);
    if (failure != null) {
      return failure;
    }
    if (failing.contains(method)) {
      return FakeAnswers.failure(502, "Bad Gateway", Obj.EMPTY);
    }
    try {
      return Obj.EMPTY.with("ok", true).with("result", result(method, form));
    } catch (FakeChats.Refusal refusal) {
      return FakeAnswers.failure(
          refusal.code(), String.valueOf(refusal.getMessage()), refusal.parameters());
    }
  }

  private JsonValue result(String method, FakeForm form)
      throws FakeChats.Refusal, InterruptedException {
    Obj parameters = form.parameters();
    return switch (method) {
      case "getMe" -> checked("User", FakeAnswers.me(readsGroups));
      case "getUpdates" -> poll(parameters);
      case "setWebhook" -> {
        setWebhook(
            parameters.string("url").orElse(""), parameters.string("secret_token").orElse(""));
        updates.allow(parameters.texts("allowed_updates"));
        yield new JsonValue.Bool(true);
      }
      case "deleteWebhook" -> {
        setWebhook("", "");
        if (parameters.is("drop_pending_updates")) {
          updates
              .pending()
              .forEach(update -> updates.forget(update.number("update_id").orElseThrow()));
        }
        yield new JsonValue.Bool(true);
      }
      case "getWebhookInfo" ->
          checked(
              "WebhookInfo",
              Obj.EMPTY
                  .with("url", webhookUrl())
                  .with("has_custom_certificate", false)
                  .with("pending_update_count", updates.pending().size()));
      case "sendMessage" ->
          checked("Message", FakeAnswers.message(chats.send(parameters, false), Optional.empty()));
      case "sendDocument" ->
          checked(
              "Message",
              FakeAnswers.message(
                  chats.send(parameters, true), Optional.ofNullable(form.files().get("document"))));
      case "editMessageText" ->
          checked("Message", FakeAnswers.message(chats.edit(parameters), Optional.empty()));
      case "setMessageReaction" -> {
        chats.react(parameters);
        yield new JsonValue.Bool(true);
      }
      case "sendChatAction" -> {
        chats.chat(parameters);
        yield new JsonValue.Bool(true);
      }
      case "answerCallbackQuery" -> answerClick(parameters);
      case "getFile" -> getFile(parameters);
      default -> throw new FakeChats.Refusal(404, "Not Found: method not found");
    };
  }

  private JsonValue poll(Obj parameters) throws FakeChats.Refusal, InterruptedException {
    updates.allow(parameters.texts("allowed_updates"));
    if (!webhookUrl().isEmpty()) {
      throw new FakeChats.Refusal(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to"
              + " delete the webhook first");
    }
    List<Obj> found =
        updates
            .poll(
                parameters.number("offset").orElse(0L),
                parameters.number("limit").orElse(100L).intValue(),
                parameters.number("timeout").orElse(0L).intValue())
            .orElseThrow(() ->
                tokenIsValid
                    ? new FakeChats.Refusal(
                        409,
                        "Conflict: terminated by other getUpdates request; make sure that only one"
                            + " bot instance is running")
                    : new FakeChats.Refusal(401, "Unauthorized"));
    return new JsonValue.Arr(List.copyOf(found));
  }

  private synchronized JsonValue answerClick(Obj parameters) throws FakeChats.Refusal {
    if (!answered.add(parameters.string("callback_query_id").orElse(""))) {
      throw new FakeChats.Refusal(
          400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    }
    return new JsonValue.Bool(true);
  }

  private JsonValue getFile(Obj parameters) throws FakeChats.Refusal {
    String id = parameters.string("file_id").orElse("");
    byte[] content = files.get(id);
    if (content == null) {
      throw new FakeChats.Refusal(400, "Bad Request: invalid file_id");
    }
    return checked(
        "File",
        Obj.EMPTY
            .with("file_id", id)
            .with("file_unique_id", "u" + id)
            .with("file_path", filePaths.getOrDefault(id, "documents/" + id)));
  }

  private Obj checked(String type, Obj value) {
    violations.addAll(BotApi.INSTANCE.problemsOf(type, value));
    return value;
  }

  private void file(HttpExchange exchange, String path) throws IOException {
    String id =
        filePaths.entrySet().stream()
            .filter(entry -> entry.getValue().equals(path))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseGet(() -> path.substring(path.lastIndexOf('/') + 1));
    byte[] content = files.getOrDefault(id, new byte[0]);
    exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(content);
    }
  }

  private static void answer(HttpExchange exchange, Obj answer) throws IOException {
    byte[] bytes = answer.toString().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(
        answer.number("error_code").map(Long::intValue).orElse(200), bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    updates.close();
    server.stop(0);
  }
}
