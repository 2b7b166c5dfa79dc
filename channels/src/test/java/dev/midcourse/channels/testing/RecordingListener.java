package dev.midcourse.channels.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Keeps what a channel delivers. A message may be refused first, as by a store that is full. */
public final class RecordingListener implements ChannelListener {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
  private final List<ButtonClick> clicks = new CopyOnWriteArrayList<>();
  private final List<ChannelNotice> notices = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

  /** Lets the next delivery fail. */
  public void failOnce(RuntimeException failure) {
    failures.add(failure);
  }

  @Override
  public void receive(InboundMessage message) {
    failIfTold();
    messages.add(message);
  }

  private void failIfTold() {
    RuntimeException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String click(ButtonClick click) {
    failIfTold();
    clicks.add(click);
    return "Done.";
  }

  @Override
  public void notice(ChannelName channel, ChannelNotice notice) {
    notices.add(notice);
  }

  public List<InboundMessage> messages() {
    return messages;
  }

  public List<ButtonClick> clicks() {
    return clicks;
  }

  public List<ChannelNotice> notices() {
    return notices;
  }

  public List<String> texts() {
    return messages.stream().map(InboundMessage::text).toList();
  }

  /** Waits for the first message with this text. */
  public InboundMessage awaitMessage(String text) {
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(texts()).contains(text));
    return messages.stream().filter(one -> one.text().equals(text)).findFirst().orElseThrow();
  }

  /** Waits for the first notice of this type that is as wanted. */
  public <T extends ChannelNotice> T awaitNotice(Class<T> type, Predicate<T> wanted) {
    await().atMost(TIMEOUT).until(() -> notices(type).stream().anyMatch(wanted));
    return notices(type).stream().filter(wanted).findFirst().orElseThrow();
  }

  private <T> List<T> notices(Class<T> type) {
    return notices.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
