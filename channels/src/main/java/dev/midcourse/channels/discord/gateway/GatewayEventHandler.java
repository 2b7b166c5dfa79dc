package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordDirectory;
import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives what the gateway tells to the listener. Returns from an event only when what it means is
 * durable. An event that can never be taken is skipped with a warning.
 */
public final class GatewayEventHandler implements GatewayLink.Listener {
  private static final Logger LOG = System.getLogger(GatewayEventHandler.class.getName());

  private final ChannelName channel;
  private final InstantSource clock;
  private final DiscordClient client;
  private final GatewayPositionStore positions;
  private final KnownChats chats;
  private final ChannelListener listener;
  private final DiscordDirectory directory;
  private final DiscordUpdateReader reader;
  private final DiscordClickHandler clicks;
  private final DiscordHistoryReader history;
  private final Consumer<String> onBot;
  private volatile String bot = "";

  public GatewayEventHandler(
      ChannelName channel,
      InstantSource clock,
      DiscordClient client,
      GatewayPositionStore positions,
      KnownChats chats,
      ChannelListener listener,
      Consumer<String> onBot) {
    this.channel = channel;
    this.onBot = onBot;
    this.clock = clock;
    this.client = client;
    this.positions = positions;
    this.chats = chats;
    this.listener = listener;
    this.directory = new DiscordDirectory(client);
    this.reader = new DiscordUpdateReader(channel);
    this.clicks = new DiscordClickHandler(channel, client, directory, reader, listener);
    this.history =
        new DiscordHistoryReader(channel, clock, client, positions, chats, listener, this::old);
  }

  /** The account of the bot is known. */
  public void setBot(String id) {
    bot = id;
    clicks.setBot(id);
    onBot.accept(id);
  }

  @Override
  public Optional<GatewayLink.Pending> arrived(String type, JsonValue.Obj data) {
    return type.equals("INTERACTION_CREATE") ? clicks.begin(data) : Optional.empty();
  }

  @Override
  public void alive() {
    positions.change(position -> position.alive(clock.instant()));
  }

  public void handle(String type, JsonValue.Obj data) throws IOException, InterruptedException {
    switch (type) {
      case "READY" -> ready(data);
      case "RESUMED" -> alive();
      case "GUILD_CREATE" -> guild(data);
      case "GUILD_DELETE" -> guildGone(data);
      case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE" -> {
        DiscordPlace.read(data, Optional.empty()).ifPresent(directory::put);
        client.limits().forgetForbidden();
      }
      case "THREAD_LIST_SYNC" -> putAll(data.objects("threads"), data.string("guild_id"));
      case "CHANNEL_DELETE" -> channelGone(data);
      case "THREAD_DELETE" -> data.string("id").ifPresent(directory::remove);
      case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE" -> {
        data.string("guild_id").ifPresent(directory::forgetRoles);
        client.limits().forgetForbidden();
      }
      case "MESSAGE_CREATE" -> message(data, InboundKind.MESSAGE);
      case "MESSAGE_UPDATE" -> message(data, InboundKind.EDIT);
      case "MESSAGE_DELETE" -> deleted(data, data.string("id").stream().toList());
      case "MESSAGE_DELETE_BULK" -> deleted(data, data.texts("ids"));
      default -> {}
    }
  }

  private void ready(JsonValue.Obj data) throws IOException, InterruptedException {
    String id =
        data.object("user")
            .string("id")
            .filter(Snowflake::isValid)
            .orElseThrow(() -> new IOException("Discord did not tell the account of the bot"));
    setBot(id);
    List<String> guilds =
        data.objects("guilds").stream()
            .flatMap(guild -> guild.string("id").filter(Snowflake::isValid).stream())
            .toList();
    history.begin(guilds);
    Optional<GatewayPosition.Session> session =
        data.string("session_id")
            .flatMap(name ->
                data.string("resume_gateway_url")
                    .map(url -> new GatewayPosition.Session(name, url, id)));
    positions.change(position -> position.with(session).alive(clock.instant()));
    for (KnownChats.KnownChat chat : chats.all()) {
      if (chat.open() && chat.guild().isPresent() && !guilds.contains(chat.guild().get())) {
        close(chat, "the bot is no longer in the server");
      }
    }
    history.fillDirect();
  }

  private void guild(JsonValue.Obj data) throws IOException, InterruptedException {
    Optional<String> id = data.string("id").filter(Snowflake::isValid);
    if (id.isEmpty() || data.is("unavailable")) {
      return;
    }
    String guild = id.get();
    directory.forgetGuild(guild);
    putAll(data.objects("channels"), id);
    putAll(data.objects("threads"), id);
    directory.putRoles(guild, data.objects("roles"), bot);
    client.limits().forgetForbidden();
    for (KnownChats.KnownChat chat : chats.all()) {
      if (!chat.open() && chat.guild().equals(id) && directory.known(chat.id()).isPresent()) {
        listener.notice(
            channel,
            new ChannelNotice.ChatOpened(
                chat.id(), directory.known(chat.id()).flatMap(DiscordPlace::name)));
        chats.setOpen(chat, true);
      }
    }
    history.fillGuild(guild, directory.inGuild(guild));
  }

  private void putAll(List<JsonValue.Obj> channels, Optional<String> guild) {
    channels.forEach(one -> DiscordPlace.read(one, guild).ifPresent(directory::put));
  }

  private void guildGone(JsonValue.Obj data) throws IOException, InterruptedException {
    Optional<String> guild = data.string("id").filter(Snowflake::isValid);
    if (guild.isEmpty() || data.is("unavailable")) {
      return; // an outage of Discord, after which the server comes back
    }
    directory.forgetGuild(guild.get());
    for (KnownChats.KnownChat chat : chats.all()) {
      if (chat.open() && chat.guild().equals(guild)) {
        close(chat, "the bot was removed from the server");
      }
    }
    history.leave(guild.get());
  }

  private void channelGone(JsonValue.Obj data) {
    Optional<String> id = data.string("id").filter(Snowflake::isValid);
    id.ifPresent(directory::remove);
    id.flatMap(chats::named)
        .filter(KnownChats.KnownChat::open)
        .ifPresent(chat -> close(chat, "the channel was deleted"));
  }

  private void close(KnownChats.KnownChat chat, String reason) {
    listener.notice(channel, new ChannelNotice.ChatClosed(chat.id(), reason));
    chats.setOpen(chat, false);
  }

  private void message(JsonValue.Obj data, InboundKind kind)
      throws IOException, InterruptedException {
    Optional<String> at = data.string("channel_id").filter(Snowflake::isValid);
    if (at.isEmpty() || isOwn(data)) {
      return;
    }
    DiscordPlace place = directory.find(at.get(), data.string("guild_id"));
    reader.message(data, kind, setting(place, data)).ifPresent(message -> take(message, place));
    if (kind == InboundKind.MESSAGE) {
      data.string("id")
          .filter(Snowflake::isValid)
          .ifPresent(id -> positions.change(position -> position.seen(id)));
    }
  }

  /** Takes a message of the history, as new and also as changed if it may be known already. */
  private void old(DiscordPlace place, JsonValue.Obj data, boolean mayBeKnown)
      throws IOException, InterruptedException {
    if (isOwn(data)) {
      return;
    }
    DiscordUpdateReader.Setting setting = setting(place, data);
    reader.message(data, InboundKind.MESSAGE, setting).ifPresent(message -> take(message, place));
    if (mayBeKnown) {
      reader.message(data, InboundKind.EDIT, setting).ifPresent(message -> take(message, place));
    }
  }

  /** Our own messages come back with every change; nobody needs them. */
  private boolean isOwn(JsonValue.Obj data) {
    return data.object("author").string("id").filter(bot::equals).isPresent();
  }

  private DiscordUpdateReader.Setting setting(DiscordPlace place, JsonValue.Obj data)
      throws IOException, InterruptedException {
    Optional<DiscordPlace> parent =
        place.thread().isPresent() ? Optional.of(directory.chatOf(place)) : Optional.empty();
    Set<String> roles =
        place.guild().isEmpty() || data.texts("mention_roles").isEmpty()
            ? Set.of()
            : directory.rolesOfBot(place.guild().get(), bot);
    return new DiscordUpdateReader.Setting(
        place.chat(), place.thread(), place.facts(parent), bot, roles);
  }

  private void take(InboundMessage message, DiscordPlace place) {
    if (message.sender().kind() == SenderKind.PERSON) {
      chats.add(place.chat(), place.guild());
    }
    give(message);
  }

  private void give(InboundMessage message) {
    try {
      listener.receive(message);
    } catch (RefusedException e) {
      if (e.problem().code() == Problem.Code.UNAVAILABLE) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "The message {0} was skipped, because it can never be taken: {1}",
          message.ref(),
          e.problem().message());
    }
  }

  private void deleted(JsonValue.Obj data, List<String> ids)
      throws IOException, InterruptedException {
    Optional<String> at = data.string("channel_id").filter(Snowflake::isValid);
    if (at.isEmpty()) {
      return;
    }
    DiscordPlace place = directory.find(at.get(), data.string("guild_id"));
    DiscordUpdateReader.Setting setting = setting(place, JsonValue.Obj.EMPTY);
    for (String id : ids) {
      reader.deletion(id, setting, clock.instant()).ifPresent(this::give);
    }
  }
}
