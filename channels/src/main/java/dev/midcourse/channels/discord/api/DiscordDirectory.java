package dev.midcourse.channels.discord.api;

import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The channels and threads of Discord, and the roles of the bot. Learns them from the gateway, and
 * asks the HTTP API for those that it does not know, because a resumed session does not tell them.
 */
public final class DiscordDirectory {
  private static final int MAX_PLACES = 50_000;

  private final DiscordClient client;

  /** Both are guarded by this object. */
  private final Map<String, DiscordPlace> places =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DiscordPlace> eldest) {
          return size() > MAX_PLACES;
        }
      };

  private final Map<String, Set<String>> rolesOfGuild = new HashMap<>();

  public DiscordDirectory(DiscordClient client) {
    this.client = client;
  }

  public synchronized void put(DiscordPlace place) {
    places.put(place.id(), place);
  }

  public synchronized void remove(String id) {
    places.remove(id);
  }

  public synchronized Optional<DiscordPlace> known(String id) {
    return Optional.ofNullable(places.get(id));
  }

  public synchronized List<DiscordPlace> inGuild(String guild) {
    return places.values().stream()
        .filter(place -> place.guild().filter(guild::equals).isPresent())
        .toList();
  }

  public synchronized void forgetGuild(String guild) {
    places.values().removeIf(place -> place.guild().filter(guild::equals).isPresent());
    rolesOfGuild.remove(guild);
  }

  public synchronized void forgetRoles(String guild) {
    rolesOfGuild.remove(guild);
  }

  /** Finds a channel. A channel without a guild is a direct message. */
  public DiscordPlace find(String id, Optional<String> guild)
      throws IOException, InterruptedException {
    if (guild.isEmpty()) {
      return known(id).orElseGet(() -> DiscordPlace.direct(id));
    }
    Optional<DiscordPlace> known = known(id);
    if (known.isPresent()) {
      return known.get();
    }
    DiscordPlace asked = ask(id, guild.get());
    put(asked);
    return asked;
  }

  /** The chat of a place: its parent for a thread. */
  public DiscordPlace chatOf(DiscordPlace place) throws IOException, InterruptedException {
    return place.thread().isEmpty() ? place : find(place.chat(), place.guild());
  }

  private DiscordPlace ask(String id, String guild) throws IOException, InterruptedException {
    return switch (client.getWithRetries("/channels/" + id)) {
      case DiscordAnswer.Done done ->
          DiscordPlace.read(done.object(), Optional.of(guild))
              .filter(place -> place.id().equals(id))
              .orElseGet(() -> unknown(id, guild));
      case DiscordAnswer.Limited(var _, String reason) -> throw new IOException(reason);
      case DiscordAnswer.Failed failed when failed.status() / 100 == 5 ->
          throw new IOException(failed.reason());
      case DiscordAnswer.Failed _ -> unknown(id, guild); // deleted, or hidden from the bot
    };
  }

  private static DiscordPlace unknown(String id, String guild) {
    return new DiscordPlace(id, id, Optional.of(guild), 0, Optional.empty(), Optional.empty());
  }

  /** The roles that belong to the bot itself: people often mention the role instead of the bot. */
  public Set<String> rolesOfBot(String guild, String bot) throws IOException, InterruptedException {
    synchronized (this) {
      Set<String> known = rolesOfGuild.get(guild);
      if (known != null) {
        return known;
      }
    }
    Set<String> roles =
        client.getWithRetries("/guilds/" + guild + "/roles")
                instanceof DiscordAnswer.Done(JsonValue.Arr all)
            ? rolesOfBot(all.objects(), bot)
            : Set.of();
    synchronized (this) {
      rolesOfGuild.put(guild, roles);
    }
    return roles;
  }

  public synchronized void putRoles(String guild, List<JsonValue.Obj> all, String bot) {
    rolesOfGuild.put(guild, rolesOfBot(all, bot));
  }

  private static Set<String> rolesOfBot(List<JsonValue.Obj> all, String bot) {
    Set<String> roles = new HashSet<>();
    for (JsonValue.Obj role : all) {
      if (role.object("tags").string("bot_id").filter(bot::equals).isPresent()) {
        role.string("id").filter(Snowflake::isValid).ifPresent(roles::add);
      }
    }
    return Set.copyOf(roles);
  }
}
