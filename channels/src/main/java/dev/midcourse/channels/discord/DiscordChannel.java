package dev.midcourse.channels.discord;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordRequestWriter;
import dev.midcourse.channels.discord.api.DiscordSettings;
import dev.midcourse.channels.discord.gateway.GatewayEventHandler;
import dev.midcourse.channels.discord.gateway.GatewayPositionStore;
import dev.midcourse.channels.discord.gateway.GatewaySession;
import dev.midcourse.channels.discord.gateway.IdentifyBudget;
import dev.midcourse.channels.discord.gateway.KnownChats;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A bot on Discord. */
final class DiscordChannel implements Channel {
  private static final int MAX_BUTTONS = 25;
  private static final long MAX_FILE_BYTES = 10L * 1024 * 1024; // of a server without boosts
  private static final ChannelCapabilities CAPABILITIES =
      ChannelCapabilities.of(
          new ChannelLimits(
              DiscordRequestWriter.MAX_TEXT - 20, // room for the marks of a title
              MAX_BUTTONS,
              MAX_FILE_BYTES,
              Duration.ofMillis(250),
              Duration.ofMillis(1_500)),
          ChannelFeature.REACTIONS,
          ChannelFeature.EDITS,
          ChannelFeature.BUTTONS,
          ChannelFeature.FILES,
          ChannelFeature.TYPING,
          ChannelFeature.IDEMPOTENT_SENDS);

  private final DiscordSettings settings;
  private final ChannelContext context;
  private final DiscordClient client;
  private final GatewayPositionStore positions;
  private final RepeatedSends repeated;
  private final DiscordSender sender;
  private final ReceiveLoop loop;

  DiscordChannel(DiscordSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.client = new DiscordClient(settings, context.clock());
    this.positions = new GatewayPositionStore(context.state());
    this.repeated = new RepeatedSends(context.clock());
    this.sender = new DiscordSender(client, context.clock(), repeated);
    this.loop = new ReceiveLoop(settings.name(), context.clock(), context.locks(), lockName());
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return positions.get().session().map(session -> new Identity(settings.name(), session.bot()));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public ChannelStatus status() {
    return loop.status();
  }

  @Override
  public void start(ChannelListener listener) {
    GatewayEventHandler handler =
        new GatewayEventHandler(
            settings.name(),
            context.clock(),
            client,
            positions,
            new KnownChats(context.state()),
            listener,
            sender::setBot);
    positions.get().alive().ifPresent(repeated::startedAfter);
    loop.start(
        new GatewaySession(
            settings,
            client,
            positions,
            new IdentifyBudget(context.state(), context.clock()),
            handler),
        listener);
  }

  /** Names the token by a part of its hash. */
  private String lockName() {
    return "discord-" + DiscordRequestWriter.hash(settings.token().reveal()).substring(0, 20);
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return sender.send(id, request);
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    try {
      client.download(attachment.reference(), target, maxBytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the hub was closed while it fetched the file", e);
    }
  }

  @Override
  public void showTyping(ChatAddress to) {
    sender.showTyping(to);
  }

  @Override
  public void close() {
    loop.close();
  }
}
