package dev.midcourse.channels.whatsapp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.HttpReceiver;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A channel to people in WhatsApp. Every chat is with one person. */
final class WhatsAppChannel implements Channel, HttpReceiver {
  private static final System.Logger LOG = System.getLogger(WhatsAppChannel.class.getName());

  /** The vendor sends at most 3 MB. */
  private static final int MAX_BODY = 3 * 1024 * 1024;

  private static final int MAX_CHATS = 10_000;
  private static final long MAX_FILE = 100_000_000;

  /** A character of Markdown may become several, as a link does; the vendor's limit is 4096. */
  private static final ChannelLimits LIMITS =
      new ChannelLimits(
          3_500,
          WhatsAppRequestWriter.MAX_ROWS,
          MAX_FILE,
          Duration.ofSeconds(1),
          Duration.ofSeconds(6));

  private final WhatsAppSettings settings;
  private final InstantSource clock;
  private final WhatsAppClient client;
  private final Map<String, String> newestByChat = new ConcurrentHashMap<>(); // only for typing
  private volatile Optional<ChannelListener> listener = Optional.empty();
  private volatile ChannelStatus status = new ChannelStatus.Starting();

  WhatsAppChannel(WhatsAppSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.client = new WhatsAppClient(settings);
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.of(new Identity(name(), settings.phone()));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return ChannelCapabilities.of(
        LIMITS,
        ChannelFeature.REACTIONS,
        ChannelFeature.BUTTONS,
        ChannelFeature.FILES,
        ChannelFeature.TYPING);
  }

  @Override
  public ChannelStatus status() {
    return status;
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
    status = new ChannelStatus.Connected(clock.instant());
  }

  @Override
  public HttpReply receive(HttpCall call) {
    return switch (call.method()) {
      case "GET" -> confirmAddress(call);
      case "POST" -> takeDelivery(call);
      default -> HttpReply.text(405, "GET or POST");
    };
  }

  /** The platform asks once whether the address is ours. */
  private HttpReply confirmAddress(HttpCall call) {
    boolean isWanted =
        "subscribe".equals(call.query().get("hub.mode"))
            && WhatsAppSignature.isSame(
                settings.verifyToken(), Optional.ofNullable(call.query().get("hub.verify_token")));
    String challenge = call.query().getOrDefault("hub.challenge", "");
    return isWanted && challenge.matches("[A-Za-z0-9_-]{1,100}")
        ? HttpReply.text(200, challenge)
        : HttpReply.text(403, "wrong verify token");
  }

  private HttpReply takeDelivery(HttpCall call) {
    if (call.body().getBytes(UTF_8).length > MAX_BODY) {
      return HttpReply.text(413, "too large");
    }
    Optional<String> signature = call.header("x-hub-signature-256");
    if (!WhatsAppSignature.isValid(settings.appSecret(), signature, call.body())) {
      return HttpReply.text(401, "the signature is wrong");
    }
    if (listener.isEmpty()) {
      return HttpReply.text(503, "not started");
    }
    JsonValue.Obj body;
    try {
      body = JsonReader.readObject(call.body());
    } catch (JsonException notAnObject) {
      LOG.log(Level.WARNING, "The channel {0} got a delivery that is not JSON.", name());
      return HttpReply.text(200, "");
    }
    try {
      new WhatsAppUpdateReader(name(), settings.phone(), clock.instant())
          .read(body)
          .forEach(update -> deliver(update, listener.get()));
      return HttpReply.text(200, "");
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} could not store a delivery ({1}); the platform sends it again.",
          name(),
          String.valueOf(e.getMessage()));
      return HttpReply.text(503, "try again");
    }
  }

  private void deliver(WhatsAppUpdate update, ChannelListener to) {
    try {
      switch (update) {
        case WhatsAppUpdate.Message(InboundMessage message) -> {
          to.receive(message);
          remember(message.ref().chat(), message.ref().message());
        }
        case WhatsAppUpdate.Click(ButtonClick click) -> answer(click, to.click(click));
        case WhatsAppUpdate.Moved(String before, String after) ->
            to.notice(name(), new ChannelNotice.ChatMoved(before, after));
        case WhatsAppUpdate.Undelivered(String chat, String message, WhatsAppError error) -> {
          to.reportUndelivered(name(), message, error.shown());
          if (error.code() == 131047 || error.code() == 131026) {
            to.notice(name(), new ChannelNotice.ChatClosed(chat, error.shown()));
          }
        }
      }
    } catch (RefusedException e) {
      if (e.problem().code() == Code.UNAVAILABLE) {
        throw e;
      }
      LOG.log(
          Level.WARNING, "An update of the channel {0} is left out: {1}", name(), e.description());
    }
  }

  private void remember(String chat, String message) {
    if (newestByChat.size() >= MAX_CHATS) {
      newestByChat.clear();
    }
    newestByChat.put(chat, message);
  }

  /** A click has no answer of its own at this platform; a message says it. */
  private void answer(ButtonClick click, String text) {
    if (!text.isBlank()) {
      Thread.ofVirtual()
          .name("whatsapp-click")
          .start(() -> {
            try {
              var result =
                  client.send(
                      WhatsAppRequestWriter.text(
                          click.card().chat(), text, Optional.of(click.card().message())));
              LOG.log(Level.DEBUG, "Answer to a click: {0}", result);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    try {
      SendResult result =
          switch (request) {
            case ChannelRequest.SendText(var to, String markdown, var replyTo) ->
                client.send(WhatsAppRequestWriter.text(to.chat(), markdown, replyTo));
            case ChannelRequest.SetReaction(var to, String message, var shown) ->
                client.send(WhatsAppRequestWriter.reaction(to.chat(), message, shown));
            case ChannelRequest.SendCard card -> client.send(WhatsAppRequestWriter.card(card));
            case ChannelRequest.CloseCard(var to, String message, String markdown) ->
                closeCard(WhatsAppRequestWriter.text(to.chat(), markdown, Optional.of(message)));
            case ChannelRequest.SendFile file -> sendFile(file);
            case ChannelRequest.EditText _ ->
                new SendResult.Refused("WhatsApp cannot change a message");
          };
      noteToken(result);
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub ended while the message was being sent");
    }
  }

  /** A token that is no longer valid is told once, until a message was taken again. */
  private void noteToken(SendResult result) {
    boolean isStopped = status instanceof ChannelStatus.Stopped;
    if (result instanceof SendResult.Refused(String reason)
        && reason.contains("(error 190)")
        && !isStopped) {
      String words = "the token is no longer valid";
      status = new ChannelStatus.Stopped(words, WhatsAppError.TOKEN_REMEDY);
      listener.ifPresent(
          to -> to.notice(name(), new ChannelNotice.Stopped(words, WhatsAppError.TOKEN_REMEDY)));
    } else if (result instanceof SendResult.Sent && isStopped) {
      status = new ChannelStatus.Connected(clock.instant());
    }
  }

  /**
   * The buttons cannot be removed; a reply says what was decided. The outbox would repeat it after
   * an unknown result, and it would be there twice.
   */
  private SendResult closeCard(JsonValue.Obj reply) throws InterruptedException {
    return switch (client.send(reply)) {
      case SendResult.Unknown(String reason) ->
          new SendResult.Refused("it is not known whether the decision was shown: " + reason);
      case SendResult known -> known;
    };
  }

  /** A file that was given to the platform without a message is seen by nobody. */
  private SendResult sendFile(ChannelRequest.SendFile file) throws InterruptedException {
    try {
      PlatformResponse uploaded = client.upload(file.file(), file.name());
      Optional<String> media = uploaded.json().string("id");
      if (uploaded.status() / 100 != 2 || media.isEmpty()) {
        return switch (WhatsAppClient.failure(uploaded)) {
          case SendResult.Unknown(String reason) ->
              new SendResult.RetryAfter(Duration.ZERO, reason);
          case SendResult known -> known;
        };
      }
      return client.send(
          WhatsAppRequestWriter.document(
              file.to().chat(), media.get(), file.name(), file.caption()));
    } catch (FileNotFoundException e) {
      return new SendResult.Refused("the file " + file.name() + " is no longer there");
    } catch (PlatformException e) {
      return new SendResult.RetryAfter(Duration.ZERO, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    try {
      client.download(attachment.reference(), target, maxBytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the hub ended while the file was being fetched", e);
    }
  }

  @Override
  public void showTyping(ChatAddress to) {
    String message = newestByChat.get(to.chat());
    if (message != null) {
      try {
        var response = client.post(WhatsAppRequestWriter.typing(message));
        LOG.log(Level.DEBUG, "Typing was shown with status {0}", List.of(response.status()));
      } catch (PlatformException e) {
        LOG.log(Level.DEBUG, "Typing could not be shown: {0}", String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    listener = Optional.empty();
    client.close();
  }
}
