package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The chats in which people wrote, stored over restarts: Discord lists no direct messages, and no
 * channels of a guild from which the bot was removed. For one thread at a time.
 */
public final class KnownChats {
  private static final String NAME = "chats";
  private static final int MAX_CHATS = 2_000;

  /**
   * One chat.
   *
   * @param guild empty for a direct message
   * @param open whether the bot may write there, as far as is known
   */
  record KnownChat(String id, Optional<String> guild, boolean open) {}

  private final ChannelState state;
  private final Map<String, KnownChat> chats = new LinkedHashMap<>();
  private boolean loaded;

  public KnownChats(ChannelState state) {
    this.state = state;
  }

  public synchronized void add(String chat, Optional<String> guild) {
    load();
    KnownChat known = chats.get(chat);
    if (known == null || !known.open()) {
      put(new KnownChat(chat, guild, true));
    }
  }

  synchronized void setOpen(KnownChat chat, boolean open) {
    put(new KnownChat(chat.id(), chat.guild(), open));
  }

  synchronized Optional<KnownChat> named(String chat) {
    load();
    return Optional.ofNullable(chats.get(chat));
  }

  public synchronized List<KnownChat> all() {
    load();
    return List.copyOf(chats.values());
  }

  private void put(KnownChat chat) {
    load();
    chats.remove(chat.id());
    chats.put(chat.id(), chat);
    if (chats.size() > MAX_CHATS) {
      chats.remove(chats.keySet().iterator().next());
    }
    List<JsonValue> stored = new ArrayList<>();
    for (KnownChat one : chats.values()) {
      stored.add(
          JsonValue.object()
              .with("id", one.id())
              .with("guild", one.guild())
              .with("open", one.open()));
    }
    state.put(NAME, JsonValue.object().with("chats", new JsonValue.Arr(stored)).toString());
  }

  private void load() {
    if (loaded) {
      return;
    }
    for (JsonValue.Obj one : stored()) {
      one.string("id")
          .filter(Snowflake::isValid)
          .ifPresent(id -> chats.put(id, new KnownChat(id, one.string("guild"), one.is("open"))));
    }
    loaded = true;
  }

  private List<JsonValue.Obj> stored() {
    try {
      return state
          .get(NAME)
          .map(text -> JsonReader.readObject(text).objects("chats"))
          .orElse(List.of());
    } catch (JsonException e) {
      return List.of();
    }
  }
}
