package dev.midcourse.channels.matrix;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.core.chat.outbound.TextSplitter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of rooms: the name, whether the room is a direct chat, and whether it was said that
 * the room is encrypted. Stored, since the server tells each only once.
 */
final class MatrixRooms {
  private static final int MAX_NAME = 200;

  private final ChannelState state;
  private final Map<String, String> cache = new ConcurrentHashMap<>();

  MatrixRooms(ChannelState state) {
    this.state = state;
  }

  boolean isDirect(String room) {
    return find("direct", room).filter("yes"::equals).isPresent();
  }

  void setDirect(String room, boolean isDirect) {
    if (isDirect || isDirect(room)) {
      put("direct", room, isDirect ? "yes" : "no");
    }
  }

  Optional<String> name(String room) {
    return find("name", room).filter(name -> !name.isBlank());
  }

  void rename(String room, String name) {
    String line = MatrixText.clean(name).replaceAll("\\p{Cntrl}+", " ").strip();
    put("name", room, TextSplitter.truncate(line, MAX_NAME));
  }

  boolean isEncrypted(String room) {
    return find("encrypted", room).isPresent();
  }

  void markEncrypted(String room) {
    put("encrypted", room, "yes");
  }

  /** The event of our reaction on a message, if there is one. */
  Optional<String> reaction(String message) {
    return find("reaction", message).filter(it -> !it.isBlank());
  }

  void putReaction(String message, String event) {
    put("reaction", message, event);
  }

  private Optional<String> find(String kind, String id) {
    String key = kind + " " + id;
    String known = cache.get(key);
    return known == null ? state.get(key) : Optional.of(known);
  }

  private void put(String kind, String id, String value) {
    String key = kind + " " + id;
    if (find(kind, id).filter(value::equals).isEmpty()) {
      state.put(key, value);
      if (cache.size() > 10_000) {
        cache.clear();
      }
      cache.put(key, value);
    }
  }
}
