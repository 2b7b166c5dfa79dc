package dev.midcourse.proof.chat;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.ChannelLimits;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The connection of a hub to a {@link ScriptedPlatform}. A person mentions the bot with {@code
 * @bot}. Every call of {@link #write}, {@link #edit}, {@link #delete} and {@link #click} returns
 * when the listener has taken it.
 */
public final class ScriptedChannel implements Channel {
  private static final String MENTION = "@" + ScriptedPlatform.BOT;
  private static final ChannelLimits LIMITS =
      new ChannelLimits(4_000, 10, 1_000_000, Duration.ZERO, Duration.ZERO);

  private final ChannelName name;
  private final ScriptedPlatform platform;
  private final ChannelCapabilities capabilities;
  private final InstantSource clock;
  private volatile Optional<ChannelListener> listener = Optional.empty();
  private int lastUpdate;

  public ScriptedChannel(
      String name,
      ScriptedPlatform platform,
      ChannelCapabilities capabilities,
      InstantSource clock) {
    this.name = ChannelName.of(name);
    this.platform = platform;
    this.capabilities = capabilities;
    this.clock = clock;
  }

  /** Every feature and generous limits. */
  public static ChannelCapabilities everything() {
    return with(EnumSet.allOf(ChannelFeature.class));
  }

  /** Every feature but these. */
  public static ChannelCapabilities without(ChannelFeature first, ChannelFeature... others) {
    return with(EnumSet.complementOf(EnumSet.of(first, others)));
  }

  public static ChannelCapabilities with(Set<ChannelFeature> features) {
    return new ChannelCapabilities(features, LIMITS);
  }

  @Override
  public ChannelName name() {
    return name;
  }

  @Override
  public Optional<Identity> identity() {
    return Optional.of(new Identity(name, ScriptedPlatform.BOT));
  }

  @Override
  public ChannelCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    return switch (platform.arrive(id, request).orElse(null)) {
      case null -> carryOut(id, request);
      case PlatformFault.Slow(CountDownLatch gate) -> {
        await(gate);
        yield carryOut(id, request);
      }
      case PlatformFault.LostAnswer() -> {
        carryOut(id, request);
        yield new SendResult.Unknown("the answer was lost");
      }
      case PlatformFault.LostRequest() -> new SendResult.Unknown("the connection was cut");
      case PlatformFault.Refusal(String reason) -> new SendResult.Refused(reason);
      case PlatformFault.RateLimit(Duration delay) ->
          new SendResult.RetryAfter(delay, "too many requests");
      case PlatformFault.Failure() -> throw new IllegalStateException("the channel is broken");
      case PlatformFault.Crash(boolean carriedOut) -> {
        if (carriedOut) {
          carryOut(id, request);
        }
        await(new CountDownLatch(1));
        throw new IllegalStateException("the process has ended");
      }
    };
  }

  private SendResult carryOut(OutboundId id, ChannelRequest request) {
    return platform.carryOut(id, request, capabilities.has(ChannelFeature.IDEMPOTENT_SENDS));
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the call was interrupted", asked);
    }
  }

  @Override
  public LookUpResult lookUp(OutboundId id, ChannelRequest request) {
    return platform
        .effectOf(id)
        .<LookUpResult>map(LookUpResult.Found::new)
        .orElseGet(LookUpResult.Absent::new);
  }

  @Override
  public void close() {
    listener = Optional.empty();
  }

  /** A person writes to the bot alone; returns the id of the message. */
  public String write(String person, String text) {
    return write(person, "dm-" + person, Optional.empty(), text, Optional.empty());
  }

  /** A person writes into a chat; a chat whose name begins with {@code dm-} is a direct one. */
  public String write(
      String person, String chat, Optional<String> thread, String text, Optional<String> replyTo) {
    PlatformMessage message = platform.write(person, chat, thread, text, replyTo);
    deliver(message, InboundKind.MESSAGE, "message-" + message.id());
    return message.id();
  }

  /** Delivers a message a second time, as a platform does that got no answer. */
  public void deliverAgain(String message) {
    deliver(known(message), InboundKind.MESSAGE, "message-" + message);
  }

  public void edit(String message, String text) {
    platform.edit(message, text);
    deliver(known(message), InboundKind.EDIT, nextUpdate("edit"));
  }

  public void delete(String message) {
    deliver(known(message), InboundKind.DELETION, nextUpdate("deletion"));
  }

  /** A person clicks a button; returns the text for the clicker. */
  public String click(String person, String card, String button) {
    return listener()
        .click(
            new ButtonClick(
                new MessageRef(name, known(card).chat(), card),
                nextUpdate("click"),
                sender(person),
                button,
                clock.instant()));
  }

  private void deliver(PlatformMessage message, InboundKind kind, String updateKey) {
    boolean direct = message.chat().startsWith("dm-");
    listener()
        .receive(
            new InboundMessage(
                new MessageRef(name, message.chat(), message.id()),
                message.thread(),
                updateKey,
                kind,
                sender(message.author()),
                new ChatFacts(
                    direct ? ChatKind.DIRECT : ChatKind.GROUP,
                    message.thread().isPresent(),
                    Optional.of(message.chat())),
                message.text(),
                message.text().replace(MENTION, "").strip(),
                direct || message.text().contains(MENTION),
                message.replyTo().map(this::quoted),
                List.of(),
                clock.instant()));
  }

  private QuotedMessage quoted(String id) {
    Optional<PlatformMessage> message = platform.message(id);
    return new QuotedMessage(
        id,
        message.filter(m -> m.author().equals(ScriptedPlatform.BOT)).isPresent(),
        message.map(PlatformMessage::author),
        message.map(PlatformMessage::text));
  }

  private Sender sender(String person) {
    return person.equals(ScriptedPlatform.BOT)
        ? new Sender(identity(), person, SenderKind.SELF)
        : new Sender(Optional.of(new Identity(name, person)), person, SenderKind.PERSON);
  }

  private PlatformMessage known(String id) {
    return platform
        .message(id)
        .orElseThrow(() -> new IllegalArgumentException("there is no message " + id));
  }

  private ChannelListener listener() {
    return listener.orElseThrow(() -> new IllegalStateException("the channel is not started"));
  }

  private synchronized String nextUpdate(String kind) {
    return kind + "-" + ++lastUpdate;
  }
}
