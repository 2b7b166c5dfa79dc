package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import dev.midcourse.channels.telegram.api.TelegramTimings;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A fake Telegram and channels that use it. Checks at the end that every call was valid. */
final class TelegramFixture implements AutoCloseable {
  static final ChannelName CHANNEL = ChannelName.of("telegram");
  static final OutboundId ID = OutboundId.of("out-1");
  static final TelegramTimings TIMINGS =
      new TelegramTimings(
          Duration.ofSeconds(20),
          Duration.ofMillis(200),
          Duration.ofMillis(300),
          Duration.ofMillis(300));

  final MovableClock clock = new MovableClock();
  final MemoryState state = new MemoryState();
  final RecordingListener listener = new RecordingListener();
  final FakeTelegram telegram;
  private final List<TelegramChannel> channels = new ArrayList<>();
  private Optional<URI> webhook = Optional.empty();
  private boolean takeOver;

  TelegramFixture() {
    try {
      telegram = new FakeTelegram(clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void useWebhook(String url) {
    webhook = Optional.of(URI.create(url));
  }

  void useLongPolls() {
    webhook = Optional.empty();
  }

  void takeOver() {
    takeOver = true;
  }

  /** A channel of a process of its own, which was not started. */
  TelegramChannel channel() {
    TelegramChannel channel =
        new TelegramChannel(
            new TelegramSettings(
                CHANNEL,
                telegram.url(),
                new ChannelSecret(FakeTelegram.TOKEN),
                webhook,
                takeOver,
                TIMINGS),
            new ChannelContext(clock, state, new ProcessLocks(), Path.of("unused")));
    channels.add(channel);
    return channel;
  }

  TelegramChannel started() {
    TelegramChannel channel = channel();
    channel.start(listener);
    return channel;
  }

  static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(10));
  }

  void awaitMessages(int count) {
    await().until(() -> listener.messages.size() >= count);
  }

  /** Telegram has nothing left that is not confirmed. */
  void awaitConfirmed() {
    await().until(() -> telegram.updates().pending().isEmpty());
  }

  static ChatAddress to(long chat) {
    return new ChatAddress(CHANNEL, Long.toString(chat), Optional.empty());
  }

  static ChatAddress to(long chat, String thread) {
    return new ChatAddress(CHANNEL, Long.toString(chat), Optional.of(thread));
  }

  @Override
  public void close() {
    channels.forEach(TelegramChannel::close);
    telegram.close();
    assertThat(telegram.violations).isEmpty();
  }
}
