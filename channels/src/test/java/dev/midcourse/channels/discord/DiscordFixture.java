package dev.midcourse.channels.discord;

import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.PollerLocks;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.discord.api.DiscordSettings;
import dev.midcourse.channels.discord.gateway.GatewayPosition;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A channel that is connected to the fake Discord, with a store and a clock of the test. */
final class DiscordFixture implements AutoCloseable {
  static final ChannelName NAME = ChannelName.of("discord");
  static final ChatAddress CHAT = new ChatAddress(NAME, FakeDiscord.CHANNEL, Optional.empty());
  static final ChatAddress THREAD =
      new ChatAddress(NAME, FakeDiscord.CHANNEL, Optional.of(FakeDiscord.THREAD));

  final FakeDiscord discord = new FakeDiscord();
  final Recorder recorder = new Recorder();
  final MemoryState state = new MemoryState();
  final MovedClock clock = new MovedClock();
  final PollerLocks locks = new ProcessLocks();
  private final List<Channel> opened = new ArrayList<>();

  DiscordFixture() throws IOException {}

  /** The clock of this machine, moved by the test. */
  static final class MovedClock implements InstantSource {
    private volatile Duration offset = Duration.ZERO;

    void advance(Duration by) {
      offset = offset.plus(by);
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(offset);
    }
  }

  /** What the hub would store. It survives a channel, and may be told to forget what comes. */
  static final class MemoryState implements ChannelState {
    final Map<String, String> values = new ConcurrentHashMap<>();
    volatile boolean isFrozen;

    @Override
    public Optional<String> get(String name) {
      return Optional.ofNullable(values.get(name));
    }

    @Override
    public void put(String name, String value) {
      if (!isFrozen) {
        values.put(name, value);
      }
    }
  }

  /** Keeps what it receives, as the ledger would, and fails when the test says so. */
  static final class Recorder implements ChannelListener {
    final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
    final List<ButtonClick> clicks = new CopyOnWriteArrayList<>();
    final List<ChannelNotice> notices = new CopyOnWriteArrayList<>();
    volatile boolean isFull;
    volatile String hated = "hated by nobody";
    volatile Callable<?> before = () -> true;

    @Override
    public void receive(InboundMessage message) {
      run();
      if (isFull) {
        throw Problem.of(Problem.Code.UNAVAILABLE, "store", "room", "the disk is full").refused();
      }
      if (message.text().equals(hated)) {
        throw Problem.invalid("text", "kind words", "the text is hated").refused();
      }
      messages.add(message);
    }

    @Override
    public String click(ButtonClick click) {
      clicks.add(click);
      return "Approved.";
    }

    @Override
    public void notice(ChannelName channel, ChannelNotice notice) {
      notices.add(notice);
    }

    private void run() {
      try {
        before.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    List<String> texts() {
      return messages.stream().map(InboundMessage::text).toList();
    }

    List<String> keys() {
      return messages.stream().map(InboundMessage::updateKey).toList();
    }

    <T extends ChannelNotice> List<T> notices(Class<T> type) {
      return notices.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  DiscordChannel open() {
    return open(state);
  }

  DiscordChannel open(ChannelState its) {
    DiscordChannel channel =
        new DiscordChannel(
            new DiscordSettings(
                NAME,
                new ChannelSecret(FakeDiscord.TOKEN),
                discord.api(),
                true,
                new DiscordSettings.Pauses(Duration.ofSeconds(5), Duration.ofMillis(10))),
            new ChannelContext(clock, its, locks, Path.of("unused")));
    opened.add(channel);
    return channel;
  }

  /** Opens a channel and waits until it is connected. */
  DiscordChannel connect() {
    int before = discord.gateway.identifies.size() + discord.gateway.resumes.size();
    DiscordChannel channel = open();
    channel.start(recorder);
    await()
        .untilAsserted(() ->
            org.assertj.core.api.Assertions.assertThat(
                    discord.gateway.identifies.size() + discord.gateway.resumes.size())
                .isGreaterThan(before));
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    return channel;
  }

  /** Waits until these texts have come, and no others. */
  void awaitTexts(String... texts) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            org.assertj.core.api.Assertions.assertThat(recorder.texts()).containsExactly(texts));
  }

  /** Waits until everything that has come is stored, and the position after it. */
  void awaitStored(String message) {
    await()
        .until(() ->
            state
                .get("position")
                .map(GatewayPosition::read)
                .flatMap(GatewayPosition::seen)
                .filter(message::equals)
                .isPresent());
  }

  @Override
  public void close() throws IOException {
    opened.forEach(Channel::close);
    discord.close();
  }
}
