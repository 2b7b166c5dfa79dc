package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Collects the parts of albums. Telegram delivers each picture of an album as a message of its own
 * and does not say which is the last: an album is complete when no further part came for a while,
 * or when its chat goes on. Parts are stored before {@link #add} returns, so that they may be
 * acknowledged.
 */
final class TelegramAlbums implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TelegramAlbums.class.getName());
  private static final String STATE = "albums";
  private static final int MAX_PARTS = 10;
  private static final int MAX_REMEMBERED = 20;
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /** The fields of a message that are kept. */
  private static final Set<String> FIELDS =
      Set.of(
          "message_id",
          "message_thread_id",
          "is_topic_message",
          "from",
          "sender_chat",
          "chat",
          "date",
          "media_group_id",
          "caption",
          "caption_entities",
          "photo",
          "document",
          "video",
          "audio",
          "reply_to_message",
          "quote");

  private final ChannelState state;
  private final Duration settle;
  private final Consumer<List<Obj>> delivery;

  /** The updates of albums that are not complete, by chat and album; guarded by this object. */
  private final Map<String, List<Obj>> open = new LinkedHashMap<>();

  /** The messages of albums that were delivered last; guarded by this object. */
  private final Map<String, List<String>> delivered = new LinkedHashMap<>();

  private boolean loaded; // guarded by this object
  private volatile boolean closed;

  /**
   * @param delivery takes the parts of a complete album; returns when they are durable
   */
  TelegramAlbums(ChannelState state, Duration settle, Consumer<List<Obj>> delivery) {
    this.state = state;
    this.settle = settle;
    this.delivery = delivery;
  }

  /** Takes what an earlier process has left. */
  synchronized void load() {
    if (loaded) {
      return;
    }
    Obj stored = state.get(STATE).flatMap(TelegramAlbums::parse).orElse(Obj.EMPTY);
    stored
        .object("open")
        .fields()
        .forEach((album, parts) -> {
          if (parts instanceof JsonValue.Arr array && !array.objects().isEmpty()) {
            open.put(album, new ArrayList<>(array.objects()));
          }
        });
    Obj remembered = stored.object("delivered");
    remembered.fields().keySet().forEach(album -> delivered.put(album, remembered.texts(album)));
    loaded = true;
    open.forEach((album, parts) -> deliverLater(album, parts.size(), settle));
  }

  /** Stores a part. A part that was already taken changes nothing. */
  synchronized void add(String chat, String group, Obj update) {
    load();
    String album = key(chat, group);
    Obj part = slim(update);
    String message = messageId(part);
    List<Obj> parts = open.computeIfAbsent(album, _ -> new ArrayList<>());
    boolean isKnown =
        delivered.getOrDefault(album, List.of()).contains(message)
            || parts.stream().anyMatch(other -> messageId(other).equals(message));
    if (isKnown) {
      open.remove(album, List.of());
      return;
    }
    parts.add(part);
    try {
      store();
    } catch (RuntimeException e) {
      parts.removeLast();
      open.remove(album, List.of());
      throw e;
    }
    if (parts.size() >= MAX_PARTS) {
      deliver(album);
    } else {
      deliverLater(album, parts.size(), settle);
    }
  }

  /** Delivers the albums of a chat that goes on. */
  synchronized void complete(String chat) {
    load();
    List<String> albums =
        open.keySet().stream().filter(album -> album.startsWith(chat + " ")).toList();
    albums.forEach(this::deliver);
  }

  private void deliverLater(String album, int size, Duration delay) {
    Thread.ofVirtual()
        .name("telegram-album")
        .start(() -> {
          try {
            Thread.sleep(delay);
            deliverIfSettled(album, size);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private synchronized void deliverIfSettled(String album, int size) {
    if (closed || open.getOrDefault(album, List.of()).size() != size) {
      return;
    }
    try {
      deliver(album);
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "An album of Telegram could not be stored as a message ({0}); trying again.",
          String.valueOf(e.getMessage()));
      deliverLater(album, size, RETRY_DELAY);
    }
  }

  private void deliver(String album) {
    List<Obj> parts = open.getOrDefault(album, List.of());
    if (parts.isEmpty()) {
      return;
    }
    delivery.accept(List.copyOf(parts));
    List<String> messages = new ArrayList<>(delivered.getOrDefault(album, List.of()));
    parts.forEach(part -> messages.add(messageId(part)));
    open.remove(album);
    delivered.remove(album);
    delivered.put(album, messages);
    if (delivered.size() > MAX_REMEMBERED) {
      delivered.remove(delivered.keySet().iterator().next());
    }
    store();
  }

  private void store() {
    Obj albums = Obj.EMPTY;
    for (Map.Entry<String, List<Obj>> album : open.entrySet()) {
      albums = albums.with(album.getKey(), new JsonValue.Arr(List.copyOf(album.getValue())));
    }
    Obj messages = Obj.EMPTY;
    for (Map.Entry<String, List<String>> album : delivered.entrySet()) {
      messages = messages.with(album.getKey(), JsonValue.strings(album.getValue()));
    }
    state.put(STATE, Obj.EMPTY.with("open", albums).with("delivered", messages).toString());
  }

  private static String key(String chat, String group) {
    return chat + " " + group;
  }

  private static String messageId(Obj update) {
    return update.object("message").text("message_id").orElse("");
  }

  private static Obj slim(Obj update) {
    Map<String, JsonValue> kept = new LinkedHashMap<>();
    update
        .object("message")
        .fields()
        .forEach((field, value) -> {
          if (FIELDS.contains(field)) {
            kept.put(field, value);
          }
        });
    return Obj.EMPTY.with("message", new Obj(kept));
  }

  private static Optional<Obj> parse(String stored) {
    try {
      return Optional.of(JsonReader.readObject(stored));
    } catch (JsonException notWrittenByUs) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
