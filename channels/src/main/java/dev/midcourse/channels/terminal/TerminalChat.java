package dev.midcourse.channels.terminal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The newest messages of one chat, and the clients that show them. A client that is too slow is
 * disconnected; it gets the messages again when it comes back.
 */
final class TerminalChat {
  private static final int MAX_MESSAGES = 500;
  private static final int MAX_UNREAD = 1_000;

  /**
   * Held while a message of a person is stored, so that the messages that answer it come after it.
   * Guards {@link #messages}.
   */
  final ReentrantLock lock = new ReentrantLock();

  private final SequencedMap<String, TerminalMessage> messages = new LinkedHashMap<>();
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

  /** A client of the chat. */
  final class Subscription implements AutoCloseable {
    private final BlockingQueue<TerminalMessage> changes = new LinkedBlockingQueue<>(MAX_UNREAD);
    private volatile boolean tooSlow;

    /** Waits for the next message that is new or has changed. */
    Optional<TerminalMessage> next(long millis) throws InterruptedException {
      return Optional.ofNullable(changes.poll(millis, TimeUnit.MILLISECONDS));
    }

    boolean isTooSlow() {
      return tooSlow;
    }

    private void offer(TerminalMessage message) {
      tooSlow |= !changes.offer(message);
    }

    @Override
    public void close() {
      subscriptions.remove(this);
    }
  }

  /** The messages of now, oldest first, and a subscription to all later changes. */
  record Joined(List<TerminalMessage> messages, Subscription subscription) {}

  Joined join() {
    lock.lock();
    try {
      Subscription subscription = new Subscription();
      subscriptions.add(subscription);
      return new Joined(new ArrayList<>(messages.values()), subscription);
    } finally {
      lock.unlock();
    }
  }

  /** Shows a message; the same again changes nothing. */
  void show(TerminalMessage message) {
    lock.lock();
    try {
      if (messages.putIfAbsent(message.id(), message) == null) {
        if (messages.size() > MAX_MESSAGES) {
          messages.pollFirstEntry();
        }
        subscriptions.forEach(subscription -> subscription.offer(message));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Changes a message that is still shown. */
  void change(String id, UnaryOperator<TerminalMessage> change) {
    lock.lock();
    try {
      TerminalMessage changed = messages.computeIfPresent(id, (key, old) -> change.apply(old));
      if (changed != null) {
        subscriptions.forEach(subscription -> subscription.offer(changed));
      }
    } finally {
      lock.unlock();
    }
  }

  Optional<TerminalMessage> message(String id) {
    lock.lock();
    try {
      return Optional.ofNullable(messages.get(id));
    } finally {
      lock.unlock();
    }
  }
}
