package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Fetches the messages that were written while the bot had no session of the gateway, channel by
 * channel, from the history of Discord. For the thread of the session.
 */
final class DiscordHistoryReader {
  static final int MAX_MESSAGES = 10_000;
  private static final Logger LOG = System.getLogger(DiscordHistoryReader.class.getName());
  private static final int PAGE = 100;

  /** Channels do not tell their messages in one order. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  /** A shorter gap is not worth a notice: who clicked then has seen an error of Discord. */
  private static final Duration MIN_NOTICE = Duration.ofMinutes(1);

  /** Discord closes an idle thread after an hour at the earliest. */
  private static final Duration MIN_ARCHIVING = Duration.ofHours(1);

  private final ChannelName channel;
  private final InstantSource clock;
  private final DiscordClient client;
  private final GatewayPositionStore positions;
  private final KnownChats chats;
  private final ChannelListener listener;
  private final Taker taker;
  private final Set<String> waitingGuilds = new HashSet<>();
  private Optional<String> seen = Optional.empty();

  /** Takes a message of the history. */
  interface Taker {
    void take(DiscordPlace place, JsonValue.Obj message, boolean mayBeKnown)
        throws IOException, InterruptedException;
  }

  DiscordHistoryReader(
      ChannelName channel,
      InstantSource clock,
      DiscordClient client,
      GatewayPositionStore positions,
      KnownChats chats,
      ChannelListener listener,
      Taker taker) {
    this.channel = channel;
    this.clock = clock;
    this.client = client;
    this.positions = positions;
    this.chats = chats;
    this.listener = listener;
    this.taker = taker;
  }

  /** A new session has begun; its servers follow one by one. */
  void begin(List<String> guilds) {
    GatewayPosition position = positions.get();
    Instant now = clock.instant();
    if (position.seen().isEmpty()) {
      positions.change(it -> it.seen(Snowflake.at(now))); // the first start: nothing is missing
      return;
    }
    seen = Optional.of(positions.beginGap(position.seen().get()));
    waitingGuilds.clear();
    waitingGuilds.addAll(guilds);
    Instant alive = position.alive().orElseGet(() -> Snowflake.time(position.seen().get()));
    if (Duration.between(alive, now).compareTo(MIN_NOTICE) > 0) {
      listener.notice(
          channel,
          new ChannelNotice.Gap(
              Optional.empty(),
              alive,
              now,
              "clicks on buttons, and changes and deletions of earlier messages"));
    }
  }

  /** Fetches the direct messages, which belong to no server. */
  void fillDirect() throws IOException, InterruptedException {
    if (seen.isEmpty()) {
      return;
    }
    for (KnownChats.KnownChat chat : chats.all()) {
      if (chat.guild().isEmpty()) {
        fill(DiscordPlace.direct(chat.id()));
      }
    }
    endIfComplete();
  }

  void fillGuild(String guild, List<DiscordPlace> places) throws IOException, InterruptedException {
    if (seen.isEmpty() || !waitingGuilds.contains(guild)) {
      return;
    }
    for (DiscordPlace place : places) {
      if (place.hasThreads() && isKnownChat(place) && isLong()) {
        fillArchived(place);
      }
      boolean isNewer =
          place.lastMessage().filter(last -> Snowflake.isAfter(last, border())).isPresent();
      if (place.hasMessages() && isNewer) {
        fill(place);
      }
    }
    leave(guild);
  }

  /** Waits no longer for this server. */
  void leave(String guild) {
    waitingGuilds.remove(guild);
    endIfComplete();
  }

  private void endIfComplete() {
    if (seen.isPresent() && waitingGuilds.isEmpty()) {
      seen = Optional.empty();
      positions.endGap();
    }
  }

  private String border() {
    return Snowflake.at(Snowflake.time(seen.orElseThrow()).minus(MARGIN));
  }

  private boolean isLong() {
    Duration gap = Duration.between(Snowflake.time(seen.orElseThrow()), clock.instant());
    return gap.compareTo(MIN_ARCHIVING) >= 0;
  }

  private boolean isKnownChat(DiscordPlace place) {
    return chats.named(place.id()).isPresent();
  }

  /** Threads that were closed meanwhile are not among those that the gateway tells. */
  private void fillArchived(DiscordPlace parent) throws IOException, InterruptedException {
    String path = "/channels/" + parent.id() + "/threads/archived/public?limit=100";
    for (JsonValue.Obj thread : objects(path, "threads")) {
      Optional<DiscordPlace> place = DiscordPlace.read(thread, parent.guild());
      boolean isNewer =
          place
              .flatMap(DiscordPlace::lastMessage)
              .filter(last -> Snowflake.isAfter(last, border()))
              .isPresent();
      if (isNewer) {
        fill(place.orElseThrow());
      }
    }
  }

  private void fill(DiscordPlace place) throws IOException, InterruptedException {
    String after = border();
    String known = seen.orElseThrow();
    for (int fetched = 0; fetched < MAX_MESSAGES; fetched += PAGE) {
      String path = "/channels/" + place.id() + "/messages?limit=" + PAGE + "&after=" + after;
      List<JsonValue.Obj> page = new ArrayList<>();
      for (JsonValue.Obj message : objects(path, "")) {
        if (message.string("id").filter(Snowflake::isValid).isPresent()) {
          page.add(message);
        }
      }
      page.sort(Comparator.comparingLong(message -> Long.parseLong(id(message))));
      for (JsonValue.Obj message : page) {
        taker.take(place, message, !Snowflake.isAfter(id(message), known));
      }
      if (page.size() < PAGE) {
        return;
      }
      after = id(page.getLast());
    }
    LOG.log(
        Level.WARNING,
        "Over {0} messages were written in {1} while {2} was not connected; the rest is left out.",
        MAX_MESSAGES,
        place.id(),
        channel);
    listener.notice(
        channel,
        new ChannelNotice.Gap(
            Optional.of(place.chat()), Snowflake.time(after), clock.instant(), "messages"));
  }

  private static String id(JsonValue.Obj message) {
    return message.string("id").orElseThrow();
  }

  /** The objects of the answer, or of a field of it; none if the bot may not read them. */
  private List<JsonValue.Obj> objects(String path, String field)
      throws IOException, InterruptedException {
    return switch (client.getWithRetries(path)) {
      case DiscordAnswer.Done(JsonValue.Arr all) -> all.objects();
      case DiscordAnswer.Done done -> done.object().objects(field);
      case DiscordAnswer.Limited(var _, String reason) -> throw new IOException(reason);
      case DiscordAnswer.Failed failed -> {
        if (failed.status() / 100 == 5 || failed.status() == DiscordAnswer.Failed.UNAUTHORIZED) {
          throw new IOException(failed.reason());
        }
        yield List.of();
      }
    };
  }
}
