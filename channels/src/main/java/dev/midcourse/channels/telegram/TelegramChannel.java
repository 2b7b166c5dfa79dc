package dev.midcourse.channels.telegram;

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
import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.telegram.api.TelegramAnswer;
import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramLogin;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import dev.midcourse.channels.telegram.receive.TelegramClicks;
import dev.midcourse.channels.telegram.receive.TelegramGap;
import dev.midcourse.channels.telegram.receive.TelegramPollSession;
import dev.midcourse.channels.telegram.receive.TelegramPosition;
import dev.midcourse.channels.telegram.receive.TelegramUpdateHandler;
import dev.midcourse.channels.telegram.receive.TelegramUpdateReader;
import dev.midcourse.channels.telegram.receive.TelegramWebhookSession;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;

/** A bot of Telegram. */
public final class TelegramChannel implements Channel, HttpReceiver {
  private static final Logger LOG = System.getLogger(TelegramChannel.class.getName());
  private static final String SECRET_HEADER = "x-telegram-bot-api-secret-token";
  private static final long MAX_UPLOAD = 50L * 1024 * 1024;

  /** Telegram allows about one message a second in a chat, and twenty a minute in a group. */
  private static final ChannelCapabilities CAPABILITIES =
      ChannelCapabilities.of(
          new ChannelLimits(4_000, 60, MAX_UPLOAD, Duration.ofSeconds(1), Duration.ofSeconds(3)),
          ChannelFeature.REACTIONS,
          ChannelFeature.EDITS,
          ChannelFeature.BUTTONS,
          ChannelFeature.FILES,
          ChannelFeature.TYPING);

  private final TelegramSettings settings;
  private final ChannelContext context;
  private final TelegramClient receiving;

  /** Stays open after {@link #close}, since the outbox may still be sending. */
  private final TelegramClient sending;

  private final TelegramSender sender;
  private final ReceiveLoop loop;
  private volatile Optional<ChannelListener> listener = Optional.empty();
  private volatile Optional<TelegramBot> bot = Optional.empty();
  private volatile Optional<TelegramUpdateHandler> handler = Optional.empty();

  TelegramChannel(TelegramSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.receiving = new TelegramClient(settings);
    this.sending = new TelegramClient(settings);
    this.sender = new TelegramSender(sending, this::chatMoved);
    this.loop =
        new ReceiveLoop(name(), context.clock(), context.locks(), "telegram-" + settings.botId());
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return bot.map(me -> new Identity(name(), me.id()));
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
  public void start(ChannelListener to) {
    listener = Optional.of(to);
    loop.start(session(to), to);
  }

  private ReceiveLoop.Session session(ChannelListener to) {
    TelegramLogin login = new TelegramLogin(settings, receiving);
    TelegramPosition position =
        new TelegramPosition(context.state(), settings.botId(), context.clock());
    TelegramGap gap = new TelegramGap(name(), position, to, context.clock());
    return settings.webhook().isPresent()
        ? new TelegramWebhookSession(
            receiving, login, gap, me -> handler(me, to), settings, context.state())
        : new TelegramPollSession(
            receiving, login, gap, me -> handler(me, to), settings.timings(), context.state());
  }

  /** The handler for our own account, which Telegram has told. */
  private TelegramUpdateHandler handler(TelegramBot me, ChannelListener to) {
    if (handler.isPresent() && bot.equals(Optional.of(me))) {
      return handler.get();
    }
    handler.ifPresent(TelegramUpdateHandler::close);
    TelegramUpdateHandler made =
        new TelegramUpdateHandler(
            new TelegramUpdateReader(name(), me),
            to,
            new TelegramClicks(sending, settings.timings().clickAnswer()),
            new TelegramUpdateHandler.Storage(
                name(), context.state(), context.clock(), settings.timings().settle()));
    bot = Optional.of(me);
    handler = Optional.of(made);
    return made;
  }

  private void chatMoved(String from, String to) {
    notice(new ChannelNotice.ChatMoved(from, to));
  }

  private void notice(ChannelNotice notice) {
    try {
      listener.ifPresent(to -> to.notice(name(), notice));
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} could not store what Telegram told ({1}): {2}",
          name(),
          String.valueOf(e.getMessage()),
          notice);
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return sender.send(request);
  }

  @Override
  public void showTyping(ChatAddress to) {
    sender.showTyping(to);
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    try {
      TelegramAnswer answer =
          sending.call("getFile", Obj.EMPTY.with("file_id", attachment.reference()));
      switch (answer) {
        case TelegramAnswer.Ok ok -> {
          String path =
              ok.object()
                  .string("file_path")
                  .orElseThrow(() -> new IOException("Telegram no longer has the file"));
          sending.download(path, target, maxBytes);
        }
        case TelegramAnswer.Failed failed ->
            throw new IOException(
                failed.says("too big")
                    ? "the file has more than the 20 MB that Telegram gives to bots"
                    : failed.description());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the hub was closed while it fetched the file", e);
    }
  }

  /** Takes an update that Telegram posts, if this channel receives by webhook. */
  @Override
  public HttpReply receive(HttpCall call) {
    if (settings.webhook().isEmpty()) {
      return HttpReply.text(404, "this channel receives by long polls");
    }
    if (!call.method().equals("POST")) {
      return HttpReply.text(405, "only POST");
    }
    if (!isFromTelegram(call)) {
      return HttpReply.text(401, "the secret token is missing or wrong");
    }
    if (handler.isEmpty()) {
      return HttpReply.text(503, "the channel has not started; send it again");
    }
    try {
      handler.get().handle(JsonReader.readObject(call.body()));
      return HttpReply.text(200, "");
    } catch (JsonException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} skips an update that is not JSON: {1}",
          name(),
          e.getMessage());
      return HttpReply.text(200, "");
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} could not store an update ({1}); Telegram sends it again.",
          name(),
          String.valueOf(e.getMessage()));
      return HttpReply.text(503, "the update cannot be stored now; send it again");
    }
  }

  private boolean isFromTelegram(HttpCall call) {
    byte[] wanted = settings.webhookSecret().reveal().getBytes(UTF_8);
    return call.header(SECRET_HEADER)
        .filter(told -> MessageDigest.isEqual(wanted, told.getBytes(UTF_8)))
        .isPresent();
  }

  @Override
  public void close() {
    loop.close();
    handler.ifPresent(TelegramUpdateHandler::close);
    receiving.close();
  }
}
