package dev.midcourse.channels.telegram;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** Keeps what it receives, and fails when it is told to. */
final class RecordingListener implements ChannelListener {
  final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
  final List<ButtonClick> clicks = new CopyOnWriteArrayList<>();
  final List<ChannelNotice> notices = new CopyOnWriteArrayList<>();
  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private volatile Optional<RuntimeException> failure = Optional.empty();
  private volatile Predicate<String> failing = _ -> true;
  private volatile CountDownLatch held = new CountDownLatch(0);

  void fail(RuntimeException with, Predicate<String> texts) {
    failing = texts;
    failure = Optional.of(with);
  }

  void repair() {
    failure = Optional.empty();
  }

  /** Clicks are held until the latch is down. */
  void holdClicks(CountDownLatch until) {
    held = until;
  }

  @Override
  public void receive(InboundMessage message) {
    if (failure.isPresent() && failing.test(message.text())) {
      throw failure.get();
    }
    messages.add(message);
    keys.add(message.updateKey());
  }

  @Override
  public String click(ButtonClick click) {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    boolean isFirst = clicks.stream().noneMatch(other -> other.button().equals(click.button()));
    clicks.add(click);
    return isFirst ? "Allowed." : "Already decided.";
  }

  @Override
  public void notice(ChannelName channel, ChannelNotice notice) {
    notices.add(notice);
  }

  List<String> texts() {
    return messages.stream().map(InboundMessage::text).toList();
  }

  int differentKeys() {
    return keys.size();
  }
}
