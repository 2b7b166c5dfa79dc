package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** A channel over one account of a homeserver. A chat is a room. */
final class MatrixChannel implements Channel {
  private static final System.Logger LOG = System.getLogger(MatrixChannel.class.getName());
  private static final Duration TYPING = Duration.ofSeconds(20);

  /** An event has at most 64 KiB, and an edit has the text four times: plain and as HTML. */
  private static final ChannelCapabilities CAPABILITIES =
      ChannelCapabilities.of(
          new ChannelLimits(
              4_000, 0, 20L * 1024 * 1024, Duration.ofSeconds(1), Duration.ofSeconds(6)),
          ChannelFeature.REACTIONS,
          ChannelFeature.EDITS,
          ChannelFeature.FILES,
          ChannelFeature.TYPING,
          ChannelFeature.IDEMPOTENT_SENDS);

  private final MatrixSettings settings;
  private final ChannelContext context;
  private final MatrixClient client;
  private final MatrixRooms rooms;
  private final MatrixSender sender;
  private final ReceiveLoop loop;
  private volatile Optional<MatrixAccount> account = Optional.empty();

  MatrixChannel(MatrixSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.client = new MatrixClient(settings);
    this.rooms = new MatrixRooms(context.state());
    this.sender = new MatrixSender(client, rooms);
    String token = settings.server() + " " + settings.token().reveal();
    this.loop =
        new ReceiveLoop(
            settings.name(),
            context.clock(),
            context.locks(),
            "matrix-" + UUID.nameUUIDFromBytes(token.getBytes(UTF_8)));
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return account.map(it -> new Identity(settings.name(), it.user()));
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
    MatrixReceiver receiver =
        new MatrixReceiver(
            settings,
            client,
            sender,
            rooms,
            context.state(),
            listener,
            context.clock(),
            it -> account = Optional.of(it));
    loop.start(receiver, listener);
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return sender.send(id, request);
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    if (!MatrixIds.isMedia(attachment.reference())) {
      throw new IOException("the file is not one of a homeserver");
    }
    try {
      client.download(attachment.reference(), target, maxBytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the hub was closed while it fetched the file");
    }
  }

  @Override
  public void showTyping(ChatAddress to) {
    Optional<MatrixAccount> us = account;
    if (us.isEmpty() || !MatrixIds.isRoom(to.chat())) {
      return;
    }
    try {
      client.put(
          MatrixSender.roomPath(to.chat()) + "/typing/" + part(us.get().user()),
          JsonValue.Obj.EMPTY.with("typing", true).with("timeout", TYPING.toMillis()));
    } catch (PlatformException e) {
      LOG.log(Level.DEBUG, "The sign of typing was not shown: {0}", String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    loop.close();
    client.close();
  }
}
