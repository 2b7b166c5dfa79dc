package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Takes one sync: what happened in rooms, invitations, and rooms that the bot has left. */
final class MatrixRoomReader {
  private static final System.Logger LOG = System.getLogger(MatrixRoomReader.class.getName());
  private static final int MAX_OWN = 10_000;
  private static final String UNREADABLE =
      "This room is encrypted, and Midcourse cannot read encrypted messages. Please write to it in"
          + " a room without encryption.";

  private final MatrixSettings settings;
  private final MatrixAccount account;
  private final MatrixClient client;
  private final MatrixSender sender;
  private final MatrixRooms rooms;
  private final MatrixHistory history;
  private final MatrixInvitations invitations;
  private final MatrixEventReader events;
  private final ChannelListener listener;
  private final Set<String> own = ConcurrentHashMap.newKeySet();

  MatrixRoomReader(
      MatrixSettings settings,
      MatrixAccount account,
      MatrixClient client,
      MatrixSender sender,
      MatrixRooms rooms,
      ChannelListener listener) {
    this.settings = settings;
    this.account = account;
    this.client = client;
    this.sender = sender;
    this.rooms = rooms;
    this.history = new MatrixHistory(client);
    this.invitations = new MatrixInvitations(settings, account, client, rooms, listener);
    this.listener = listener;
    this.events = new MatrixEventReader(settings.name(), account, rooms, own::contains);
  }

  /** Returns when everything is durable. Without an earlier position old messages are left out. */
  void read(JsonValue.Obj sync, Optional<String> since)
      throws IOException, InterruptedException, RetryLaterException, PermanentFailureException {
    sync.object("account_data").objects("events").forEach(this::readDirectRooms);
    JsonValue.Obj all = sync.object("rooms");
    for (Map.Entry<String, JsonValue> room : all.object("join").fields().entrySet()) {
      if (MatrixIds.isRoom(room.getKey()) && room.getValue() instanceof JsonValue.Obj joined) {
        readJoined(room.getKey(), joined, since);
      }
    }
    for (Map.Entry<String, JsonValue> room : all.object("invite").fields().entrySet()) {
      if (MatrixIds.isRoom(room.getKey()) && room.getValue() instanceof JsonValue.Obj invited) {
        invitations.read(room.getKey(), invited);
      }
    }
    for (Map.Entry<String, JsonValue> room : all.object("leave").fields().entrySet()) {
      if (MatrixIds.isRoom(room.getKey()) && since.isPresent()) {
        listener.notice(
            settings.name(),
            new ChannelNotice.ChatClosed(room.getKey(), "the bot is no longer in the room"));
      }
    }
  }

  private void readDirectRooms(JsonValue.Obj event) {
    if (event.string("type").filter("m.direct"::equals).isPresent()) {
      JsonValue.Obj content = event.object("content");
      for (String user : content.fields().keySet()) {
        content.texts(user).stream()
            .filter(MatrixIds::isRoom)
            .forEach(room -> rooms.setDirect(room, true));
      }
    }
  }

  private void readJoined(String room, JsonValue.Obj joined, Optional<String> since)
      throws IOException, InterruptedException, RetryLaterException, PermanentFailureException {
    joined
        .object("summary")
        .number("m.joined_member_count")
        .filter(count -> count > 2)
        .ifPresent(count -> rooms.setDirect(room, false));
    for (JsonValue.Obj event : joined.object("state").objects("events")) {
      readState(room, event);
    }
    JsonValue.Obj timeline = joined.object("timeline");
    List<JsonValue.Obj> all = new ArrayList<>();
    Optional<String> before = timeline.string("prev_batch");
    List<JsonValue.Obj> newest = timeline.objects("events");
    boolean joinedNow = newest.stream().anyMatch(this::isOwnJoin);
    if (timeline.is("limited") && since.isPresent() && before.isPresent() && !joinedNow) {
      MatrixHistory.Missing missing = history.fetch(room, before.get(), since.get());
      all.addAll(missing.events());
      if (!missing.isWhole()) {
        noticeGap(room, missing.events());
      }
    }
    all.addAll(newest);
    for (int i = 0; i < all.size(); i++) {
      readState(room, all.get(i));
      if (since.isPresent() && i >= firstAfterJoin(all)) {
        take(room, all.get(i));
      }
    }
  }

  /** What was written before the bot came is not for it. */
  private int firstAfterJoin(List<JsonValue.Obj> all) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (isOwnJoin(all.get(i))) {
        return i + 1;
      }
    }
    return 0;
  }

  private boolean isOwnJoin(JsonValue.Obj event) {
    boolean wasJoined =
        event
            .object("unsigned")
            .object("prev_content")
            .string("membership")
            .filter("join"::equals)
            .isPresent();
    return event.string("type").filter("m.room.member"::equals).isPresent()
        && event.string("state_key").filter(account.user()::equals).isPresent()
        && event.object("content").string("membership").filter("join"::equals).isPresent()
        && !wasJoined;
  }

  private void noticeGap(String room, List<JsonValue.Obj> newest) {
    Instant to =
        Instant.ofEpochMilli(
            newest.isEmpty()
                ? 0
                : Math.max(0, newest.getFirst().number("origin_server_ts").orElse(0L)));
    listener.notice(
        settings.name(), new ChannelNotice.Gap(Optional.of(room), Instant.EPOCH, to, "messages"));
  }

  private void readState(String room, JsonValue.Obj event) throws InterruptedException {
    switch (event.string("type").orElse("")) {
      case "m.room.name" -> rooms.rename(room, event.object("content").string("name").orElse(""));
      case "m.room.encryption" -> announceEncryption(room);
      default -> {}
    }
  }

  private void take(String room, JsonValue.Obj event)
      throws InterruptedException, RetryLaterException {
    remember(event);
    recallQuoted(room, event);
    switch (events.read(room, event)) {
      case MatrixUpdate.Message(InboundMessage message) -> receive(message);
      case MatrixUpdate.Encrypted() -> announceEncryption(room);
      case MatrixUpdate.Moved(String to) -> {
        invitations.join(to);
        listener.notice(settings.name(), new ChannelNotice.ChatMoved(room, to));
      }
      case MatrixUpdate.Renamed(String name) -> rooms.rename(room, name);
      case MatrixUpdate.Skip() -> {}
    }
  }

  private void receive(InboundMessage message) {
    try {
      listener.receive(message);
    } catch (RefusedException e) {
      if (e.problem().code() == Code.UNAVAILABLE) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "The channel {0} does not take the event {1}: {2}",
          settings.name(),
          message.updateKey(),
          String.valueOf(e.getMessage()));
    }
  }

  private void remember(JsonValue.Obj event) {
    if (event.string("sender").filter(account.user()::equals).isPresent()) {
      if (own.size() >= MAX_OWN) {
        own.clear();
      }
      event.string("event_id").ifPresent(own::add);
    }
  }

  /** Asks who wrote the message to which this one replies, unless it is known to be ours. */
  private void recallQuoted(String room, JsonValue.Obj event) throws InterruptedException {
    Optional<String> quoted =
        event
            .object("content")
            .object("m.relates_to")
            .object("m.in_reply_to")
            .string("event_id")
            .filter(MatrixIds::isEvent)
            .filter(id -> !own.contains(id));
    if (quoted.isPresent()) {
      try {
        PlatformResponse found =
            client.get(
                MatrixSender.roomPath(room) + "/event/" + part(quoted.get()), MatrixClient.TIMEOUT);
        remember(found.json());
      } catch (PlatformException e) {
        LOG.log(
            Level.DEBUG,
            "The author of a quoted message is not known: {0}",
            String.valueOf(e.getMessage()));
      }
    }
  }

  /** Says once that the room cannot be read. */
  private void announceEncryption(String room) throws InterruptedException {
    if (rooms.isEncrypted(room)) {
      return;
    }
    LOG.log(
        Level.WARNING,
        "The room {0} of the channel {1} is encrypted; its messages cannot be read. Use a room"
            + " without encryption.",
        room,
        settings.name());
    try {
      sender.put(
          room,
          "m.room.message",
          "encrypted-" + UUID.nameUUIDFromBytes(room.getBytes(UTF_8)),
          JsonValue.Obj.EMPTY.with("msgtype", "m.notice").with("body", UNREADABLE));
      rooms.markEncrypted(room);
    } catch (PlatformException e) {
      LOG.log(Level.DEBUG, "The room was not told: {0}", String.valueOf(e.getMessage()));
    }
  }
}
