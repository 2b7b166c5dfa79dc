package dev.midcourse.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackSocketSession;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.ledger.StoreLock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** A fake Slack and a channel to it, with a listener that keeps each update once, as the ledger. */
final class SlackHarness implements AutoCloseable {
  static final ChannelName NAME = ChannelName.of("slack");
  static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  static final String SIGNING_SECRET = "the signing secret of the test";
  private static final int CHATS = 2;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  final FakeSlack slack;
  final Recorder recorder = new Recorder();
  final Map<String, String> state = new ConcurrentHashMap<>();
  final Set<String> locks = ConcurrentHashMap.newKeySet();
  volatile Instant now = NOW;
  Duration maxSilence = SlackSocketSession.MAX_SILENCE;
  Optional<SlackChannel> channel = Optional.empty();

  SlackHarness() throws Exception {
    slack = new FakeSlack(NOW.getEpochSecond());
  }

  /** Keeps what it receives, each key once, and can fail like a store. */
  static final class Recorder implements ChannelListener {
    final List<InboundMessage> messages = new ArrayList<>();
    final List<String> deliveries = new ArrayList<>();
    final List<ButtonClick> clicks = new ArrayList<>();
    final List<ChannelNotice> notices = new ArrayList<>();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    volatile Optional<RuntimeException> failure = Optional.empty();
    volatile Runnable before = () -> {};
    volatile String answer = "";

    @Override
    public void receive(InboundMessage message) {
      before.run();
      synchronized (this) {
        deliveries.add(message.updateKey());
        if (failure.isPresent()) {
          throw failure.get();
        }
        if (keys.add(message.updateKey())) {
          messages.add(message);
        }
      }
    }

    @Override
    public synchronized String click(ButtonClick click) {
      clicks.add(click);
      return answer;
    }

    @Override
    public synchronized void notice(ChannelName name, ChannelNotice notice) {
      notices.add(notice);
    }

    synchronized List<InboundMessage> messages() {
      return List.copyOf(messages);
    }

    synchronized List<String> texts() {
      return messages.stream().map(InboundMessage::text).toList();
    }

    synchronized List<String> deliveries() {
      return List.copyOf(deliveries);
    }

    synchronized List<ButtonClick> clicks() {
      return List.copyOf(clicks);
    }

    synchronized List<ChannelNotice> notices() {
      return List.copyOf(notices);
    }
  }

  SlackSettings settings(SlackSettings.Mode mode) {
    return new SlackSettings(
        NAME,
        new ChannelSecret(FakeSlack.BOT_TOKEN),
        Optional.of(new ChannelSecret(FakeSlack.APP_TOKEN)),
        Optional.of(new ChannelSecret(SIGNING_SECRET)),
        mode,
        slack.api());
  }

  ChannelContext context() {
    ChannelState stored =
        new ChannelState() {
          @Override
          public Optional<String> get(String name) {
            return Optional.ofNullable(state.get(name));
          }

          @Override
          public void put(String name, String value) {
            state.put(name, value);
          }
        };
    InstantSource clock = () -> now;
    return new ChannelContext(clock, stored, this::tryLock, Path.of("unused"));
  }

  private Optional<StoreLock> tryLock(String name) {
    if (!locks.add(name)) {
      return Optional.empty();
    }
    return Optional.of(
        new StoreLock() {
          @Override
          public boolean isHeld() {
            return true;
          }

          @Override
          public void close() {
            locks.remove(name);
          }
        });
  }

  SlackChannel create(SlackSettings.Mode mode) {
    SlackChannel made = new SlackChannel(settings(mode), context(), maxSilence);
    channel = Optional.of(made);
    return made;
  }

  /** Starts a channel and waits until it receives and has asked for missed messages. */
  SlackChannel start() {
    return start(SlackSettings.Mode.SOCKET);
  }

  SlackChannel start(SlackSettings.Mode mode) {
    long before = histories();
    SlackChannel made = startWithoutHistory(mode);
    await(() -> histories() >= before + CHATS);
    return made;
  }

  /** The number of histories that were given. */
  private long histories() {
    return slack.answered.stream().filter("conversations.history"::equals).count();
  }

  /** Starts a channel, and does not wait until it has asked for missed messages. */
  SlackChannel startWithoutHistory(SlackSettings.Mode mode) {
    SlackChannel made = create(mode);
    made.start(recorder);
    await(() -> made.status() instanceof ChannelStatus.Connected);
    return made;
  }

  /** Ends the channel, as a restart of the hub does. */
  void stop() {
    channel.ifPresent(SlackChannel::close);
    channel = Optional.empty();
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(10)).until(condition);
  }

  void awaitTexts(String... texts) {
    Awaitility.await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(recorder.texts()).containsExactly(texts));
  }

  static ChatAddress to(String chat) {
    return new ChatAddress(NAME, chat, Optional.empty());
  }

  static ChatAddress to(String chat, String thread) {
    return new ChatAddress(NAME, chat, Optional.of(thread));
  }

  static OutboundId id(String text) {
    return OutboundId.of(text);
  }

  @Override
  public void close() {
    stop();
    slack.close();
  }
}
