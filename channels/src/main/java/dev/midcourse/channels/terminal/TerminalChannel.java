package dev.midcourse.channels.terminal;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The channel of people at a terminal of this machine. The id of a message of ours is its id in the
 * outbox, so that sending it again changes nothing. After a restart a chat is built from the
 * ledger.
 */
public final class TerminalChannel implements Channel {
  public static final ChannelName NAME = ChannelName.of("terminal");

  /** The name by which a person mentions Midcourse in a room: {@code @midcourse}. */
  static final String BOT = "midcourse";

  private static final Pattern MENTION = Pattern.compile("(?<![\\w@])@midcourse(?![\\w-])");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9-]{8,64}");
  private static final ChannelCapabilities CAPABILITIES =
      ChannelCapabilities.of(
          new ChannelLimits(100_000, 100, Long.MAX_VALUE, Duration.ZERO, Duration.ofSeconds(2)),
          ChannelFeature.EDITS,
          ChannelFeature.REACTIONS,
          ChannelFeature.BUTTONS,
          ChannelFeature.FILES,
          ChannelFeature.IDEMPOTENT_SENDS);

  private final Ledger ledger;
  private final TerminalHistory history;
  private final InstantSource clock;
  private final Map<String, TerminalChat> chats = new ConcurrentHashMap<>();
  private volatile Optional<ChannelListener> listener = Optional.empty();

  /**
   * @param data the folder below which the files of messages are
   */
  public TerminalChannel(Ledger ledger, Path data, InstantSource clock) {
    this.ledger = ledger;
    this.history = new TerminalHistory(data);
    this.clock = clock;
  }

  /**
   * A new message of a person.
   *
   * @param key a random text that distinguishes it; the same again changes nothing
   */
  public record NewMessage(
      String key, String text, Optional<String> thread, Optional<String> replyTo) {
    public NewMessage {
      checkKey(key);
    }
  }

  /** The id of the chat in which this person is alone with Midcourse. */
  public static String directChat(String user) {
    return new TerminalUser(user, Optional.empty()).chat();
  }

  /** Takes a message of a person. Returns its id when it is stored. */
  public String write(TerminalUser user, NewMessage written) {
    TerminalChat chat = chat(user.chat());
    Optional<QuotedMessage> quoted = written.replyTo().map(id -> quoted(chat, id));
    InboundMessage message =
        inbound(
            user,
            written.key(),
            InboundKind.MESSAGE,
            "message:" + written.key(),
            written.text(),
            written.thread(),
            quoted);
    chat.lock.lock();
    try {
      listener().receive(message);
      chat.show(TerminalHistory.of(message));
    } finally {
      chat.lock.unlock();
    }
    return written.key();
  }

  /** Takes a new text of a message of the same person. */
  public void edit(TerminalUser user, String id, String text, String key) {
    change(user, id, InboundKind.EDIT, text, key, chat -> chat.change(id, m -> m.withText(text)));
  }

  /** Takes the deletion of a message of the same person. */
  public void delete(TerminalUser user, String id, String key) {
    change(
        user,
        id,
        InboundKind.DELETION,
        "",
        key,
        chat -> chat.change(id, TerminalMessage::asDeleted));
  }

  private void change(
      TerminalUser user,
      String id,
      InboundKind kind,
      String text,
      String key,
      Consumer<TerminalChat> apply) {
    checkKey(key);
    TerminalChat chat = chat(user.chat());
    TerminalMessage own =
        chat.message(id)
            .filter(message -> message.author().equals(Optional.of(user.name())))
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "message",
                        "a message of " + user.name() + " in this chat",
                        "there is no such message of " + user.name())
                    .refused());
    InboundMessage message =
        inbound(user, id, kind, kind.wire() + ":" + key, text, own.thread(), Optional.empty());
    chat.lock.lock();
    try {
      listener().receive(message);
      apply.accept(chat);
    } finally {
      chat.lock.unlock();
    }
  }

  /** Takes a click on a button; returns the text for the person. */
  public String click(TerminalUser user, String card, String button, String key) {
    checkKey(key);
    return listener()
        .click(
            new ButtonClick(
                new MessageRef(NAME, user.chat(), card),
                "click:" + key,
                user.sender(),
                button,
                clock.instant()));
  }

  /** Gives a client every message of its chat, then each one that is new or has changed. */
  public TerminalView view(TerminalUser user) {
    return new TerminalView(chat(user.chat()).join());
  }

  private InboundMessage inbound(
      TerminalUser user,
      String id,
      InboundKind kind,
      String updateKey,
      String text,
      Optional<String> thread,
      Optional<QuotedMessage> quoted) {
    boolean direct = user.facts().kind() == ChatKind.DIRECT;
    return new InboundMessage(
        new MessageRef(NAME, user.chat(), id),
        thread,
        updateKey,
        kind,
        user.sender(),
        user.facts(),
        text,
        MENTION.matcher(text).replaceAll("").strip(),
        direct || MENTION.matcher(text).find(),
        quoted,
        List.of(),
        clock.instant());
  }

  private static QuotedMessage quoted(TerminalChat chat, String id) {
    TerminalMessage message =
        chat.message(id)
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "reply_to",
                        "a message of this chat",
                        "this chat has no such message")
                    .refused());
    return new QuotedMessage(
        id,
        message.author().isEmpty(),
        Optional.of(message.author().orElse(BOT)),
        Optional.of(message.text()));
  }

  private static void checkKey(String key) {
    if (!KEY.matcher(key).matches()) {
      String rule = "8 to 64 letters, digits or '-'";
      throw Problem.invalid("key", rule, "key must be " + rule).refused();
    }
  }

  private TerminalChat chat(String id) {
    TerminalChat known = chats.get(id);
    if (known != null) {
      return known;
    }
    TerminalChat read = ledger.read(reading -> history.read(reading, id));
    TerminalChat first = chats.putIfAbsent(id, read);
    return first == null ? read : first;
  }

  private ChannelListener listener() {
    return listener.orElseThrow(() ->
        Problem.of(
                Code.UNAVAILABLE,
                "channel",
                "a channel that has started",
                "the hub does not take messages yet; try again")
            .refused());
  }

  @Override
  public ChannelName name() {
    return NAME;
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.of(new Identity(NAME, BOT));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
  }

  /** The outbox is the store: a message only has to be shown to the clients of now. */
  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    TerminalChat chat = chat(request.to().chat());
    return switch (request) {
      case ChannelRequest.SendText(var _, String markdown, var replyTo) ->
          show(chat, ours(id, request, markdown, replyTo));
      case ChannelRequest.SendCard(var _, String title, String markdown, var buttons) ->
          show(
              chat,
              ours(id, request, title + "\n" + markdown, Optional.empty()).withButtons(buttons));
      case ChannelRequest.SendFile(var _, Path file, String name, var caption) ->
          show(
              chat,
              ours(id, request, caption.orElse(name), Optional.empty()).withFile(file.toString()));
      case ChannelRequest.EditText(var _, String message, String markdown) -> {
        chat.change(message, shown -> shown.withText(markdown));
        yield new SendResult.Sent(message);
      }
      case ChannelRequest.CloseCard(var _, String message, String markdown) -> {
        chat.change(message, shown -> shown.withText(markdown).withButtons(List.of()));
        yield new SendResult.Sent(message);
      }
      case ChannelRequest.SetReaction(var _, String message, var status) -> {
        chat.change(message, shown -> shown.withStatus(status));
        yield new SendResult.Sent(message);
      }
    };
  }

  private static SendResult show(TerminalChat chat, TerminalMessage message) {
    chat.show(message);
    return new SendResult.Sent(message.id());
  }

  private TerminalMessage ours(
      OutboundId id, ChannelRequest request, String text, Optional<String> replyTo) {
    return TerminalMessage.of(
        id.value(), request.to().thread(), Optional.empty(), text, replyTo, clock.instant());
  }

  @Override
  public void close() {
    listener = Optional.empty();
  }
}
