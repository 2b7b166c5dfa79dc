package dev.midcourse.channels.discord;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Discord on this machine: the HTTP API and the gateway, with one server of one text channel and
 * one thread. Independent clients check it: {@code DiscordClientsTest}.
 */
final class FakeDiscord implements AutoCloseable {
  static final String TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.Gabcde.secret-part-of-the-token";
  static final String BOT = "100000000000000001";
  static final String BOT_ROLE = "100000000000000002";
  static final String ANN = "100000000000000011";
  static final String OTHER_BOT = "100000000000000012";
  static final String GUILD = "100000000000000100";
  static final String CHANNEL = "100000000000000200";
  static final String THREAD = "100000000000000300";
  static final String DIRECT = "100000000000000400";
  private static final Duration CLICK_TIME = Duration.ofSeconds(3);
  private static final Pattern MESSAGES = Pattern.compile("/channels/(\\d+)/messages");
  private static final Pattern MESSAGE = Pattern.compile("/channels/(\\d+)/messages/(\\d+)");
  private static final Pattern REACTION =
      Pattern.compile("/channels/(\\d+)/messages/(\\d+)/reactions/([^/]+)/@me");
  private static final Pattern CALLBACK = Pattern.compile("/interactions/(\\d+)/([^/]+)/callback");

  private final HttpServer http;
  final FakeGateway gateway;
  private final Map<String, JsonValue.Obj> channels = new LinkedHashMap<>();
  private final Map<String, NavigableMap<Long, JsonValue.Obj>> messages = new HashMap<>();
  private final Map<String, String> messageOfNonce = new HashMap<>();
  private final Map<String, Instant> clicks = new HashMap<>();
  private final List<String> answeredClicks = new ArrayList<>();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private long lastId;

  final List<Recorded> requests = new CopyOnWriteArrayList<>();
  volatile boolean revoked;
  volatile int sessionsLeft = 1_000;
  volatile long applicationFlags = 1L << 19;
  volatile boolean inGuild = true;

  /** A request as it came. */
  record Recorded(String method, String path, String contentType, String body) {
    JsonValue.Obj json() {
      return JsonReader.readObject(body);
    }
  }

  /** What the next requests of a kind get instead of their answer. */
  record Rule(String method, String path, Reply reply, boolean carriedOut, AtomicInteger left) {}

  /** An answer; a status of 0 cuts the connection. */
  record Reply(int status, String body, Map<String, String> headers) {
    static Reply of(int status, JsonValue body) {
      return new Reply(status, JsonWriter.compact(body), Map.of());
    }

    static Reply error(int status, int code, String message) {
      return of(status, JsonValue.object().with("code", code).with("message", message));
    }
  }

  FakeDiscord() throws IOException {
    channels.put(
        CHANNEL,
        JsonValue.object()
            .with("id", CHANNEL)
            .with("type", 0)
            .with("name", "general")
            .with("guild_id", GUILD)
            .with("position", 0)
            .with("permission_overwrites", new JsonValue.Arr(List.of()))
            .with("last_message_id", new JsonValue.Null()));
    channels.put(
        THREAD,
        JsonValue.object()
            .with("id", THREAD)
            .with("type", 11)
            .with("name", "a thread")
            .with("guild_id", GUILD)
            .with("parent_id", CHANNEL)
            .with("owner_id", ANN)
            .with("message_count", 1)
            .with("member_count", 1)
            .with("last_message_id", new JsonValue.Null())
            .with(
                "thread_metadata",
                JsonValue.object()
                    .with("archived", false)
                    .with("auto_archive_duration", 60)
                    .with("archive_timestamp", "2026-03-01T10:00:00.000000+00:00")
                    .with("locked", false)));
    gateway =
        new FakeGateway(this, TOKEN, this::ready, () -> inGuild ? List.of(guild()) : List.of());
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::serve);
    http.start();
  }

  URI api() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/api/v10");
  }

  // What a test says

  /** Ann writes; returns the id of her message. */
  String write(String channel, String text) {
    return write(channel, text, JsonValue.object());
  }

  synchronized String write(String channel, String text, JsonValue.Obj more) {
    JsonValue.Obj message = message(channel, user(ANN, "ann", false), text);
    for (Map.Entry<String, JsonValue> field : more.fields().entrySet()) {
      message = message.with(field.getKey(), field.getValue());
    }
    return store(channel, message);
  }

  synchronized String writeAs(String user, boolean isBot, String channel, String text) {
    return store(channel, message(channel, user(user, "somebody", isBot), text));
  }

  synchronized void edit(String channel, String id, String text, Optional<Instant> edited) {
    JsonValue.Obj message =
        stored(channel, id)
            .with("content", text)
            .with(
                "edited_timestamp",
                edited
                    .<JsonValue>map(at -> JsonValue.of(at.toString()))
                    .orElse(new JsonValue.Null()));
    in(channel).put(Long.valueOf(id), message);
    gateway.dispatch("MESSAGE_UPDATE", forGateway(channel, message));
  }

  synchronized void delete(String channel, String id) {
    in(channel).remove(Long.valueOf(id));
    JsonValue.Obj event = JsonValue.object().with("id", id).with("channel_id", channel);
    gateway.dispatch(
        "MESSAGE_DELETE", channel.equals(DIRECT) ? event : event.with("guild_id", GUILD));
  }

  synchronized String click(String channel, String message, String button) {
    String id = nextId();
    clicks.put(id, Instant.now());
    gateway.dispatch("INTERACTION_CREATE", interaction(id, channel, message, button));
    return id;
  }

  JsonValue.Obj interaction(String id, String channel, String message, String button) {
    return JsonValue.object()
        .with("id", id)
        .with("application_id", BOT)
        .with("type", 3)
        .with("token", "token-of-" + id)
        .with("version", 1)
        .with("guild_id", GUILD)
        .with("channel_id", channel)
        .with(
            "channel", channels.getOrDefault(channel, JsonValue.object()).with("permissions", "0"))
        .with("member", member(user(ANN, "ann", false)))
        .with("message", stored(channel, message))
        .with("locale", "en-US")
        .with("guild_locale", "en-US")
        .with("app_permissions", "0")
        .with("entitlements", new JsonValue.Arr(List.of()))
        .with("authorizing_integration_owners", JsonValue.object())
        .with("context", 0)
        .with("attachment_size_limit", 10_485_760)
        .with("data", JsonValue.object().with("component_type", 2).with("custom_id", button));
  }

  boolean isAnswered(String click) {
    synchronized (this) {
      return answeredClicks.contains(click);
    }
  }

  /** The next requests get this answer, and nothing happens. */
  void refuse(int times, String method, String path, Reply reply) {
    rules.add(new Rule(method, path, reply, false, new AtomicInteger(times)));
  }

  /** The next request is carried out, and its answer is lost. */
  void loseAnswer(String method, String path) {
    rules.add(new Rule(method, path, new Reply(0, "", Map.of()), true, new AtomicInteger(1)));
  }

  static Reply limited(double seconds, boolean isGlobal) {
    JsonValue.Obj body =
        JsonValue.object()
            .with("message", "You are being rate limited.")
            .with("retry_after", new JsonValue.Num(Double.toString(seconds)))
            .with("global", isGlobal);
    return new Reply(429, body.toString(), Map.of("X-RateLimit-Scope", "user"));
  }

  synchronized JsonValue.Obj stored(String channel, String id) {
    JsonValue.Obj found = in(channel).get(Long.valueOf(id));
    return found == null ? JsonValue.Obj.EMPTY : found;
  }

  synchronized List<JsonValue.Obj> stored(String channel) {
    return List.copyOf(in(channel).values());
  }

  synchronized void removeChannel(String id) {
    JsonValue.Obj removed = channels.remove(id);
    gateway.dispatch("CHANNEL_DELETE", removed == null ? JsonValue.Obj.EMPTY : removed);
  }

  long count(String method, String pathPattern) {
    return requests.stream()
        .filter(it -> it.method().equals(method) && it.path().matches(pathPattern))
        .count();
  }

  List<JsonValue.Obj> bodies(String method, String pathPattern) {
    return requests.stream()
        .filter(it -> it.method().equals(method) && it.path().matches(pathPattern))
        .map(Recorded::json)
        .toList();
  }

  // Objects

  static JsonValue.Obj user(String id, String name, boolean isBot) {
    return JsonValue.object()
        .with("id", id)
        .with("username", name)
        .with("global_name", name)
        .with("discriminator", "0")
        .with("avatar", new JsonValue.Null())
        .with("bot", isBot);
  }

  private JsonValue.Obj message(String channel, JsonValue.Obj author, String text) {
    JsonValue.Arr none = new JsonValue.Arr(List.of());
    return JsonValue.object()
        .with("id", nextId())
        .with("channel_id", channel)
        .with("author", author)
        .with("content", text)
        .with("timestamp", Instant.now().toString().replace("Z", "+00:00"))
        .with("edited_timestamp", new JsonValue.Null())
        .with("tts", false)
        .with("mention_everyone", false)
        .with("mentions", none)
        .with("mention_roles", none)
        .with("attachments", none)
        .with("embeds", none)
        .with("components", none)
        .with("pinned", false)
        .with("flags", 0)
        .with("type", 0);
  }

  private static JsonValue.Obj member(JsonValue.Obj user) {
    return memberWithoutUser().with("user", user);
  }

  private static JsonValue.Obj memberWithoutUser() {
    return JsonValue.object()
        .with("roles", new JsonValue.Arr(List.of()))
        .with("joined_at", "2026-01-01T00:00:00.000000+00:00")
        .with("deaf", false)
        .with("mute", false)
        .with("flags", 0)
        .with("permissions", "0");
  }

  private JsonValue.Obj ready() {
    JsonValue.Obj guild = JsonValue.object().with("id", GUILD).with("unavailable", true);
    return JsonValue.object()
        .with("v", 10)
        .with("user", user(BOT, "midcourse", true).with("verified", true))
        .with("guilds", new JsonValue.Arr(inGuild ? List.of(guild) : List.of()))
        .with("private_channels", new JsonValue.Arr(List.of()))
        .with("application", JsonValue.object().with("id", BOT).with("flags", applicationFlags));
  }

  synchronized JsonValue.Obj guild() {
    List<JsonValue> texts = new ArrayList<>();
    List<JsonValue> threads = new ArrayList<>();
    for (JsonValue.Obj channel : channels.values()) {
      JsonValue.Obj now = channel;
      NavigableMap<Long, JsonValue.Obj> in = messages.get(channel.string("id").orElse(""));
      if (in != null && !in.isEmpty()) {
        now = channel.with("last_message_id", Long.toString(in.lastKey()));
      }
      (channel.number("type").orElse(0L) == 11 ? threads : texts).add(now);
    }
    return FakeDiscordGuild.json(texts, threads, member(user(BOT, "midcourse", true)));
  }

  private synchronized String nextId() {
    lastId = Math.max(lastId + 1, Long.parseLong(Snowflake.at(Instant.now())));
    return Long.toString(lastId);
  }

  private NavigableMap<Long, JsonValue.Obj> in(String channel) {
    return messages.computeIfAbsent(channel, it -> new TreeMap<>());
  }

  private String store(String channel, JsonValue.Obj message) {
    String id = message.string("id").orElseThrow();
    in(channel).put(Long.valueOf(id), message);
    gateway.dispatch("MESSAGE_CREATE", forGateway(channel, message));
    return id;
  }

  private static JsonValue.Obj forGateway(String channel, JsonValue.Obj message) {
    return channel.equals(DIRECT)
        ? message
        : message.with("guild_id", GUILD).with("member", memberWithoutUser());
  }

  // HTTP

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath().replaceFirst("^/api(/v10)?", "");
    String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String type =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse("");
    String method = exchange.getRequestMethod();
    requests.add(new Recorded(method, path, type, body));
    Optional<Rule> rule =
        rules.stream()
            .filter(it -> it.method().equals(method) && path.matches(it.path()))
            .filter(it -> it.left().get() > 0)
            .findFirst();
    rule.ifPresent(it -> it.left().decrementAndGet());
    Reply reply;
    if (rule.isPresent() && !rule.get().carriedOut()) {
      reply = rule.get().reply();
    } else {
      reply = answer(exchange, method, path, query, type, body);
      reply = rule.map(Rule::reply).orElse(reply);
    }
    reply(exchange, reply);
  }

  private static void reply(HttpExchange exchange, Reply reply) throws IOException {
    if (reply.status() == 0) {
      exchange.close();
      return;
    }
    if (!reply.body().isEmpty()) {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
    }
    reply.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    byte[] bytes = reply.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private Reply answer(
      HttpExchange exchange, String method, String path, String query, String type, String body) {
    if (path.startsWith("/attachments/files/")) {
      return path.endsWith("expired")
          ? Reply.error(404, 0, "This content is no longer available.")
          : new Reply(200, "content of the file", Map.of());
    }
    boolean needsToken = !path.startsWith("/interactions/") && !path.startsWith("/webhooks/");
    String given =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
    if (needsToken && (revoked || !given.equals("Bot " + TOKEN))) {
      return Reply.error(401, 0, "401: Unauthorized");
    }
    String agent =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("User-Agent")).orElse("");
    if (!agent.startsWith("DiscordBot (")) {
      return Reply.error(403, 40_333, "internal network error");
    }
    synchronized (this) {
      return answer(method, path, query, type, body);
    }
  }

  private Reply answer(String method, String path, String query, String type, String body) {
    Matcher messagesOf = MESSAGES.matcher(path);
    Matcher message = MESSAGE.matcher(path);
    Matcher reaction = REACTION.matcher(path);
    Matcher callback = CALLBACK.matcher(path);
    if (path.equals("/gateway/bot") || path.equals("/gateway")) {
      return gatewayAddress();
    } else if (path.equals("/users/@me")) {
      return Reply.of(200, user(BOT, "midcourse", true));
    } else if (path.equals("/users/@me/guilds")) {
      return Reply.of(
          200,
          new JsonValue.Arr(
              List.of(
                  JsonValue.object()
                      .with("id", GUILD)
                      .with("name", "the server")
                      .with("permissions", "2048"))));
    } else if (path.equals("/users/@me/channels")) {
      return Reply.of(
          200,
          JsonValue.object()
              .with("id", DIRECT)
              .with("type", 1)
              .with("recipients", new JsonValue.Arr(List.of(user(ANN, "ann", false)))));
    } else if (path.matches("/(applications|oauth2/applications)/@me")) {
      return Reply.of(200, FakeDiscordGuild.application(applicationFlags));
    } else if (path.equals("/guilds/" + GUILD + "/roles")) {
      return Reply.of(200, FakeDiscordGuild.roles());
    } else if (path.endsWith("/threads/archived/public")) {
      return Reply.of(200, JsonValue.object().with("threads", new JsonValue.Arr(List.of())));
    } else if (path.equals("/attachments/refresh-urls")) {
      return refreshed(body);
    } else if (messagesOf.matches()) {
      return method.equals("POST")
          ? create(messagesOf.group(1), payload(type, body))
          : history(messagesOf.group(1), query);
    } else if (message.matches()) {
      return one(method, message.group(1), message.group(2), body);
    } else if (reaction.matches()) {
      return react(method, reaction.group(1), reaction.group(2), reaction.group(3));
    } else if (callback.matches()) {
      return answerClick(callback.group(1));
    } else if (path.matches("/channels/\\d+/typing")) {
      return new Reply(204, "", Map.of());
    } else if (path.matches("/channels/\\d+")) {
      JsonValue.Obj channel = channels.get(path.substring("/channels/".length()));
      return channel == null ? Reply.error(404, 10_003, "Unknown Channel") : Reply.of(200, channel);
    } else if (path.matches("/webhooks/\\d+/[^/]+")) {
      return Reply.of(200, message(CHANNEL, user(BOT, "midcourse", true), ""));
    }
    return Reply.error(404, 0, "404: Not Found");
  }

  private Reply gatewayAddress() {
    return Reply.of(
        200,
        JsonValue.object()
            .with("url", gateway.uri().toString())
            .with("shards", 1)
            .with(
                "session_start_limit",
                JsonValue.object()
                    .with("total", 1_000)
                    .with("remaining", sessionsLeft)
                    .with("reset_after", 86_400_000)
                    .with("max_concurrency", 1)));
  }

  private static Reply refreshed(String body) {
    String old = JsonReader.readObject(body).texts("attachment_urls").getFirst();
    return Reply.of(
        200,
        JsonValue.object()
            .with(
                "refreshed_urls",
                new JsonValue.Arr(
                    List.of(
                        JsonValue.object()
                            .with("original", old)
                            .with("refreshed", old.replace("expired", "fresh"))))));
  }

  private static JsonValue.Obj payload(String type, String body) {
    if (!type.startsWith("multipart/form-data; boundary=")) {
      return JsonReader.readObject(body);
    }
    int from = body.indexOf("{", body.indexOf("payload_json"));
    int end = body.indexOf("\r\n", from);
    JsonValue.Obj file =
        JsonValue.object()
            .with("id", "1")
            .with("filename", "file")
            .with("size", 1)
            .with("url", "https://cdn.discordapp.com/attachments/1/1/file")
            .with("proxy_url", "https://media.discordapp.net/attachments/1/1/file");
    return JsonReader.readObject(body.substring(from, end))
        .with("attachments", new JsonValue.Arr(List.of(file)));
  }

  private Reply create(String channel, JsonValue.Obj body) {
    if (!channels.containsKey(channel) && !channel.equals(DIRECT)) {
      return Reply.error(404, 10_003, "Unknown Channel");
    }
    String text = body.string("content").orElse("");
    if (text.length() > 2_000) {
      return Reply.error(400, 50_035, "Invalid Form Body");
    }
    String nonce = channel + body.string("nonce").orElse("");
    if (body.is("enforce_nonce") && messageOfNonce.containsKey(nonce)) {
      return Reply.of(200, stored(channel, messageOfNonce.get(nonce)));
    }
    JsonValue.Obj message = message(channel, user(BOT, "midcourse", true), text);
    for (String copied : List.of("components", "message_reference", "attachments", "flags")) {
      message =
          body.get(copied).isPresent() ? message.with(copied, body.get(copied).get()) : message;
    }
    String id = store(channel, message);
    messageOfNonce.put(nonce, id);
    return Reply.of(
        200,
        body.string("nonce")
            .map(it -> stored(channel, id).with("nonce", it))
            .orElse(stored(channel, id)));
  }

  void forgetNonces() {
    synchronized (this) {
      messageOfNonce.clear();
    }
  }

  /** As Discord does: those directly after the border, the newest first. */
  private Reply history(String channel, String query) {
    long after = 0;
    int limit = 50;
    for (String part : query.split("&", -1)) {
      after = part.startsWith("after=") ? Long.parseLong(part.substring(6)) : after;
      limit = part.startsWith("limit=") ? Integer.parseInt(part.substring(6)) : limit;
    }
    List<JsonValue> page =
        in(channel).tailMap(after, false).values().stream()
            .limit(limit)
            .<JsonValue>map(it -> it)
            .toList();
    return Reply.of(200, new JsonValue.Arr(page.reversed()));
  }

  private Reply one(String method, String channel, String id, String body) {
    JsonValue.Obj message = stored(channel, id);
    if (message.fields().isEmpty()) {
      return Reply.error(404, 10_008, "Unknown Message");
    }
    if (method.equals("GET")) {
      return Reply.of(200, message);
    }
    if (message.object("author").string("id").filter(BOT::equals).isEmpty()) {
      return Reply.error(403, 50_005, "Cannot edit a message authored by another user");
    }
    JsonValue.Obj changes = JsonReader.readObject(body);
    JsonValue.Obj changed =
        message
            .with("content", changes.string("content").orElse(""))
            .with("edited_timestamp", Instant.now().toString());
    changed =
        changes.get("components").isPresent()
            ? changed.with("components", changes.get("components").get())
            : changed;
    in(channel).put(Long.valueOf(id), changed);
    gateway.dispatch("MESSAGE_UPDATE", forGateway(channel, changed));
    return Reply.of(200, changed);
  }

  private Reply react(String method, String channel, String id, String encoded) {
    JsonValue.Obj message = stored(channel, id);
    if (message.fields().isEmpty()) {
      return Reply.error(404, 10_008, "Unknown Message");
    }
    String emoji = URLDecoder.decode(encoded, UTF_8);
    List<JsonValue> reactions = new ArrayList<>();
    for (JsonValue.Obj one : message.objects("reactions")) {
      if (!one.object("emoji").string("name").filter(emoji::equals).isPresent()) {
        reactions.add(one);
      }
    }
    if (method.equals("PUT")) {
      JsonValue.Obj named = JsonValue.object().with("id", new JsonValue.Null()).with("name", emoji);
      reactions.add(JsonValue.object().with("me", true).with("count", 1).with("emoji", named));
    }
    in(channel).put(Long.valueOf(id), message.with("reactions", new JsonValue.Arr(reactions)));
    return new Reply(204, "", Map.of());
  }

  List<String> reactions(String channel, String id) {
    return stored(channel, id).objects("reactions").stream()
        .map(it -> it.object("emoji").string("name").orElse(""))
        .toList();
  }

  private Reply answerClick(String id) {
    @Nullable Instant at = clicks.get(id);
    if (at == null || Duration.between(at, Instant.now()).compareTo(CLICK_TIME) > 0) {
      return Reply.error(404, 10_062, "Unknown interaction");
    }
    if (answeredClicks.contains(id)) {
      return Reply.error(400, 40_060, "Interaction has already been acknowledged.");
    }
    answeredClicks.add(id);
    return new Reply(204, "", Map.of());
  }

  @Override
  public void close() throws IOException {
    http.stop(0);
    gateway.close();
  }
}
