package dev.midcourse.channels.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A homeserver with what the channel uses of the client-server API. Models its traps: limited
 * timelines, positions that give the same events again, transaction ids, double reactions, edits of
 * other people's messages, and rate limits. matrix-js-sdk checks that a client accepts it.
 */
final class FakeMatrix implements AutoCloseable {
  static final String BOT = "@bot:localhost";
  static final String ANN = "@ann:localhost";
  static final String BOB = "@bob:localhost";
  private static final Obj EMPTY = Obj.EMPTY;

  /** Something that happened in a room, in the order of the server. */
  private record Event(String room, Obj json, Map<String, String> membersBefore) {}

  /** An error that the server answers instead of doing what was asked. */
  record Failure(int status, Obj body) {
    static Failure of(int status, String code) {
      return new Failure(status, EMPTY.with("errcode", code).with("error", code));
    }
  }

  private final HttpServer server;
  private final List<Event> events = new ArrayList<>();
  private final Map<String, String> transactions = new HashMap<>();
  private final Map<String, byte[]> media = new HashMap<>();
  private final Map<String, Map<String, String>> members = new HashMap<>();
  private final Map<String, Failure> failures = new HashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** The method and path of each request. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  volatile int timelineLimit = 20;
  volatile boolean cutsAnswerOfSend;
  volatile Optional<String> redirectsMedia = Optional.empty();

  FakeMatrix() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** A token is the account after this word. */
  static String token(String user) {
    return "secret-token-of-" + user.substring(1, user.indexOf(':'));
  }

  private static Optional<String> user(String authorization) {
    return List.of(BOT, ANN, BOB).stream()
        .filter(it -> authorization.equals("Bearer " + token(it)))
        .findFirst();
  }

  /** The next request whose path contains this text fails. */
  synchronized void failNext(String path, Failure failure) {
    failures.put(path, failure);
  }

  // What people do

  synchronized String createRoom(String creator, boolean direct, String... invited) {
    String room = "!room" + ids.incrementAndGet() + ":localhost";
    members.put(room, new HashMap<>());
    setMember(room, creator, creator, "join", false);
    for (String user : invited) {
      setMember(room, creator, user, "invite", direct);
    }
    return room;
  }

  synchronized void setMember(
      String room, String sender, String user, String membership, boolean direct) {
    Map<String, String> before = Map.copyOf(members.getOrDefault(room, Map.of()));
    Optional<String> previous = Optional.ofNullable(before.get(user));
    members(room).put(user, membership);
    Obj content = EMPTY.with("membership", membership);
    Obj json =
        event(room, sender, "m.room.member", direct ? content.with("is_direct", true) : content)
            .with("state_key", user);
    if (previous.isPresent()) {
      json =
          json.with(
              "unsigned", EMPTY.with("prev_content", EMPTY.with("membership", previous.get())));
    }
    add(room, json, before);
  }

  synchronized String say(String room, String sender, String text) {
    return send(room, sender, "m.room.message", text(text));
  }

  static Obj text(String text) {
    return EMPTY.with("msgtype", "m.text").with("body", text);
  }

  static Obj mention(Obj content) {
    return content.with(
        "m.mentions", EMPTY.with("user_ids", new Arr(List.of(new JsonValue.Str(BOT)))));
  }

  synchronized String send(String room, String sender, String type, Obj content) {
    Obj json = event(room, sender, type, content);
    add(room, json, Map.copyOf(members(room)));
    return json.string("event_id").orElseThrow();
  }

  synchronized String setState(String room, String sender, String type, Obj content) {
    Obj json = event(room, sender, type, content).with("state_key", "");
    add(room, json, Map.copyOf(members(room)));
    return json.string("event_id").orElseThrow();
  }

  /** What a user has sent to a room. */
  synchronized List<Obj> sent(String room, String user) {
    return events.stream()
        .filter(it -> it.room().equals(room))
        .map(Event::json)
        .filter(it -> it.string("sender").equals(Optional.of(user)))
        .filter(it -> !it.string("type").equals(Optional.of("m.room.member")))
        .toList();
  }

  synchronized String membership(String room, String user) {
    return members(room).getOrDefault(user, "leave");
  }

  private Obj event(String room, String sender, String type, Obj content) {
    return EMPTY
        .with("event_id", "$e" + ids.incrementAndGet())
        .with("room_id", room)
        .with("sender", sender)
        .with("type", type)
        .with("origin_server_ts", 1_772_359_200_000L + ids.get())
        .with("content", content);
  }

  private void add(String room, Obj json, Map<String, String> before) {
    events.add(new Event(room, json, before));
    notifyAll();
  }

  // The server

  private void handle(HttpExchange exchange) {
    String path = exchange.getRequestURI().getRawPath();
    requests.add(exchange.getRequestMethod() + " " + path);
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (path.equals("/_matrix/client/versions")) {
        answer(exchange, 200, EMPTY.with("versions", new Arr(List.of(new JsonValue.Str("v1.11")))));
        return;
      }
      Optional<String> user =
          user(
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                  .orElse(""));
      Optional<Failure> failure = takeFailure(path);
      if (failure.isPresent()) {
        answer(exchange, failure.get().status(), failure.get().body());
      } else if (user.isEmpty()) {
        answer(exchange, 401, Failure.of(401, "M_UNKNOWN_TOKEN").body());
      } else {
        serve(exchange, user.get(), path, body);
      }
    } catch (IOException | InterruptedException ended) {
      // the client has gone
    }
  }

  private synchronized Optional<Failure> takeFailure(String path) {
    Optional<String> found = failures.keySet().stream().filter(path::contains).findFirst();
    return found.map(it -> Optional.ofNullable(failures.remove(it)).orElseThrow());
  }

  private Map<String, String> members(String room) {
    return members.computeIfAbsent(room, it -> new HashMap<>());
  }

  private static void answer(HttpExchange exchange, int status, Obj body) throws IOException {
    byte[] bytes = body.toString().getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new HashMap<>();
    String raw = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    return query;
  }

  private void serve(HttpExchange exchange, String user, String path, byte[] body)
      throws IOException, InterruptedException {
    List<String> parts =
        Arrays.stream(path.split("/", -1)).skip(1).map(it -> URLDecoder.decode(it, UTF_8)).toList();
    Obj json =
        body.length > 0 && body[0] == '{' ? JsonReader.readObject(new String(body, UTF_8)) : EMPTY;
    String what = parts.size() > 3 ? parts.get(3) : "";
    switch (what) {
      case "account" -> answer(exchange, 200, EMPTY.with("user_id", user).with("device_id", "D"));
      case "profile" ->
          answer(exchange, 200, EMPTY.with("displayname", parts.get(4).substring(1, 4)));
      case "sync" -> answer(exchange, 200, sync(user, query(exchange)));
      case "joined_rooms" -> answer(exchange, 200, EMPTY.with("joined_rooms", joinedRooms(user)));
      case "createRoom" -> answer(exchange, 200, EMPTY.with("room_id", create(user, json)));
      case "join" -> join(exchange, user, parts.get(4));
      case "upload" -> upload(exchange, body);
      case "media" -> download(exchange, parts.getLast());
      case "rooms" -> serveRoom(exchange, user, parts, json);
      case "pushrules" -> answer(exchange, 200, EMPTY.with("global", EMPTY));
      case "capabilities" -> answer(exchange, 200, EMPTY.with("capabilities", EMPTY));
      case "user" -> answer(exchange, 200, EMPTY.with("filter_id", "1"));
      default -> answer(exchange, 404, Failure.of(404, "M_UNRECOGNIZED").body());
    }
  }

  private synchronized String create(String user, Obj json) {
    return createRoom(user, json.is("is_direct"), json.texts("invite").toArray(String[]::new));
  }

  private synchronized Arr joinedRooms(String user) {
    return new Arr(
        members.keySet().stream()
            .filter(room -> "join".equals(members(room).get(user)))
            .<JsonValue>map(JsonValue.Str::new)
            .toList());
  }

  private synchronized void join(HttpExchange exchange, String user, String room)
      throws IOException {
    if (!members.containsKey(room) || !members(room).containsKey(user)) {
      answer(exchange, 403, Failure.of(403, "M_FORBIDDEN").body());
      return;
    }
    setMember(room, user, user, "join", false);
    answer(exchange, 200, EMPTY.with("room_id", room));
  }

  private synchronized void upload(HttpExchange exchange, byte[] body) throws IOException {
    String id = "media" + ids.incrementAndGet();
    media.put(id, body);
    answer(exchange, 200, EMPTY.with("content_uri", "mxc://localhost/" + id));
  }

  private void download(HttpExchange exchange, String id) throws IOException {
    if (redirectsMedia.isPresent()) {
      exchange.getResponseHeaders().add("Location", redirectsMedia.get());
      exchange.sendResponseHeaders(307, -1);
      return;
    }
    byte[] bytes = media.get(id);
    exchange.sendResponseHeaders(bytes == null ? 404 : 200, bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized void serveRoom(
      HttpExchange exchange, String user, List<String> parts, Obj json) throws IOException {
    String room = parts.get(4);
    if (!"join".equals(members.getOrDefault(room, Map.of()).get(user))) {
      answer(exchange, 403, Failure.of(403, "M_FORBIDDEN").body());
      return;
    }
    switch (parts.get(5)) {
      case "send", "redact" -> sendOnce(exchange, user, room, parts, json);
      case "joined_members" -> answer(exchange, 200, joinedMembers(room));
      case "messages" -> answer(exchange, 200, messages(room, query(exchange)));
      case "event" -> {
        Optional<Event> found =
            events.stream()
                .filter(it -> it.json().string("event_id").equals(Optional.of(parts.get(6))))
                .findFirst();
        answer(
            exchange,
            found.isPresent() ? 200 : 404,
            found.map(Event::json).orElseGet(() -> Failure.of(404, "M_NOT_FOUND").body()));
      }
      default -> answer(exchange, 200, EMPTY);
    }
  }

  private void sendOnce(
      HttpExchange exchange, String user, String room, List<String> parts, Obj json)
      throws IOException {
    boolean redacts = parts.get(5).equals("redact");
    String type = redacts ? "m.room.redaction" : parts.get(6);
    Obj content = redacts ? json.with("redacts", parts.get(6)) : json;
    if (json.toString().length() > 65_536) {
      answer(exchange, 413, Failure.of(413, "M_TOO_LARGE").body());
      return;
    }
    if (type.equals("m.reaction") && hasReaction(user, json)) {
      answer(exchange, 400, Failure.of(400, "M_DUPLICATE_ANNOTATION").body());
      return;
    }
    String event =
        transactions.computeIfAbsent(
            user + " " + String.join("/", parts), it -> send(room, user, type, content));
    if (cutsAnswerOfSend) {
      cutsAnswerOfSend = false;
      exchange.close();
      return;
    }
    answer(exchange, 200, EMPTY.with("event_id", event));
  }

  private boolean hasReaction(String user, Obj content) {
    List<String> redacted =
        events.stream()
            .flatMap(it -> it.json().object("content").string("redacts").stream())
            .toList();
    return events.stream()
        .map(Event::json)
        .filter(it -> it.string("sender").equals(Optional.of(user)))
        .filter(it -> !redacted.contains(it.string("event_id").orElse("")))
        .anyMatch(it -> it.object("content").equals(content));
  }

  private Obj joinedMembers(String room) {
    Obj joined = EMPTY;
    for (String user : members(room).keySet()) {
      joined = "join".equals(members(room).get(user)) ? joined.with(user, EMPTY) : joined;
    }
    return EMPTY.with("joined", joined);
  }

  private Obj messages(String room, Map<String, String> query) {
    int from = position(query.getOrDefault("from", "s0"));
    int to = position(query.getOrDefault("to", "s0"));
    int limit = Integer.parseInt(query.getOrDefault("limit", "10"));
    List<JsonValue> chunk = new ArrayList<>();
    int at = from;
    while (at > to && chunk.size() < limit) {
      at--;
      if (events.get(at).room().equals(room)) {
        chunk.add(events.get(at).json());
      }
    }
    Obj page = EMPTY.with("chunk", new Arr(chunk)).with("start", "s" + from);
    return at > to ? page.with("end", "s" + at) : page;
  }

  private static int position(String token) {
    return Integer.parseInt(token.substring(1));
  }

  private synchronized Obj sync(String user, Map<String, String> query)
      throws InterruptedException {
    Optional<String> since = Optional.ofNullable(query.get("since"));
    int from = since.map(FakeMatrix::position).orElse(0);
    long end = System.nanoTime() + Long.parseLong(query.getOrDefault("timeout", "0")) * 1_000_000;
    while (since.isPresent() && !concerns(user, from) && System.nanoTime() < end) {
      wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    }
    Obj join = EMPTY;
    Obj invite = EMPTY;
    Obj leave = EMPTY;
    for (String room : members.keySet()) {
      String now = members(room).getOrDefault(user, "");
      List<Integer> news = new ArrayList<>();
      for (int i = from; i < events.size(); i++) {
        if (events.get(i).room().equals(room)) {
          news.add(i);
        }
      }
      if (news.isEmpty()) {
        continue;
      }
      switch (now) {
        case "join" -> join = join.with(room, joined(room, user, from, since.isEmpty()));
        case "invite" ->
            invite = invite.with(room, EMPTY.with("invite_state", invitation(room, user)));
        case "leave", "ban" -> leave = leave.with(room, EMPTY);
        default -> {}
      }
    }
    return EMPTY
        .with("next_batch", "s" + events.size())
        .with("rooms", EMPTY.with("join", join).with("invite", invite).with("leave", leave));
  }

  private boolean concerns(String user, int from) {
    return events.subList(from, events.size()).stream()
        .anyMatch(it -> members(it.room()).containsKey(user));
  }

  private Obj invitation(String room, String user) {
    List<JsonValue> found = new ArrayList<>();
    events.stream()
        .filter(it -> it.room().equals(room))
        .map(Event::json)
        .filter(it -> it.string("state_key").equals(Optional.of(user)))
        .forEach(found::add);
    return EMPTY.with("events", new Arr(found));
  }

  private Obj joined(String room, String user, int from, boolean first) {
    int start = from;
    boolean wasIn =
        events.subList(0, from).stream()
            .filter(it -> it.room().equals(room))
            .map(Event::json)
            .filter(it -> it.string("state_key").equals(Optional.of(user)))
            .reduce((one, other) -> other)
            .filter(it -> it.object("content").string("membership").equals(Optional.of("join")))
            .isPresent();
    if (!wasIn) {
      start = 0; // a server shows the newest messages from before the user came
    }
    List<Integer> all = new ArrayList<>();
    for (int i = first ? 0 : start; i < events.size(); i++) {
      if (events.get(i).room().equals(room)) {
        all.add(i);
      }
    }
    boolean limited = all.size() > timelineLimit;
    List<Integer> shown = limited ? all.subList(all.size() - timelineLimit, all.size()) : all;
    int before = shown.isEmpty() ? from : shown.getFirst();
    long count = members(room).values().stream().filter("join"::equals).count();
    return EMPTY
        .with("summary", EMPTY.with("m.joined_member_count", count))
        .with(
            "timeline",
            EMPTY
                .with("limited", limited)
                .with("prev_batch", "s" + before)
                .with(
                    "events",
                    new Arr(shown.stream().<JsonValue>map(i -> events.get(i).json()).toList())));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
