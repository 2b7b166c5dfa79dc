package dev.midcourse.channels.outbox;

import dev.midcourse.channels.Channel;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends the messages of the outbox, each at most once or with a state that says that this is not
 * known. Channels do not wait for each other, and neither do the chats of one channel. A message
 * for a channel that is not configured waits and says so.
 */
public final class OutboxSender implements OutboxSignal, AutoCloseable {
  private static final int MAX_RELEASED = 10_000;
  private static final int MAX_SENDING = 10_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final OutboxSettings settings;
  private final UnsentHandler unsent;

  /** Guarded by this object. */
  private final Map<ChannelName, ChannelSender> senders = new HashMap<>();

  /** Guarded by this object. */
  private boolean running;

  /** Guards the time between the end of a sender and the start of the next of the same name. */
  private final ReentrantLock replacements = new ReentrantLock();

  public OutboxSender(
      Ledger ledger,
      List<Channel> channels,
      InstantSource clock,
      OutboxSettings settings,
      UnsentHandler unsent) {
    this.ledger = ledger;
    this.clock = clock;
    this.settings = settings;
    this.unsent = unsent;
    channels.forEach(this::add);
  }

  /**
   * Begins to send. First decides about the messages that an earlier hub was sending when it ended:
   * they are sent again, looked up, or end as unknown.
   */
  public synchronized void start() {
    for (ChannelName name : ledger.read(reading -> reading.chats().openChannels())) {
      sender(name);
    }
    senders.values().forEach(ChannelSender::start);
    running = true;
  }

  /**
   * Ends a sent message as failed, because its platform reports that it did not arrive. It is not
   * sent again by itself. A message of which this is known already, and one that is not of the
   * outbox, stays as it is.
   *
   * @throws RefusedException with {@code UNAVAILABLE} if no message has this id and one of the
   *     channel is being sent: it may be the one, and have its id in a moment
   */
  public void reportUndelivered(ChannelName channel, String platformId, String reason) {
    ledger.write(tx -> {
      Optional<OutboundMessage> named = tx.chats().outboundNamed(channel, platformId);
      if (named.isEmpty() && isSending(tx, channel)) {
        throw Problem.of(
                Code.UNAVAILABLE,
                "message_id",
                "the id of a sent message",
                "a message of " + channel + " is being sent; report it again")
            .refused();
      }
      named
          .filter(message -> message.state() == OutboundState.SENT)
          .map(message -> message.undelivered(reason))
          .ifPresent(message -> {
            tx.chats().put(message);
            unsent.handle(tx, message);
          });
      return platformId;
    });
  }

  private static boolean isSending(Transaction tx, ChannelName channel) {
    return tx.chats().outbox(Set.of(OutboundState.SENDING), Optional.empty(), MAX_SENDING).stream()
        .anyMatch(message -> message.to().channel().equals(channel));
  }

  @Override
  public void wake(ChannelName channel) {
    sender(channel).wake();
  }

  /**
   * Sends the messages of this channel from now on. What waited because the channel was not
   * configured is sent at once.
   */
  public void put(Channel channel) {
    replace(channel);
    ledger.write(tx -> {
      List<OutboundMessage> waiting =
          tx.chats().outbox(Set.of(OutboundState.QUEUED), Optional.empty(), MAX_RELEASED);
      waiting.stream()
          .filter(message -> message.to().channel().equals(channel.name()))
          .forEach(message -> tx.chats().put(message.requeued()));
      return waiting.size();
    });
    wake(channel.name());
  }

  /** Sends nothing more to this channel; its messages wait. */
  public void remove(ChannelName name) {
    replace(new UnconfiguredChannel(name));
  }

  /** Ends the sender of the same name before another one begins, so that none sends twice. */
  private void replace(Channel channel) {
    replacements.lock();
    try {
      Optional<ChannelSender> before;
      synchronized (this) {
        before = Optional.ofNullable(senders.get(channel.name()));
      }
      before.ifPresent(ChannelSender::close);
      synchronized (this) {
        ChannelSender sender = add(channel);
        if (running) {
          sender.start();
        }
      }
    } finally {
      replacements.unlock();
    }
  }

  private synchronized ChannelSender sender(ChannelName name) {
    ChannelSender known = senders.get(name);
    if (known != null) {
      return known;
    }
    ChannelSender added = add(new UnconfiguredChannel(name));
    if (running) {
      added.start();
    }
    return added;
  }

  private synchronized ChannelSender add(Channel channel) {
    ChannelSender sender = new ChannelSender(channel, ledger, clock, settings, unsent);
    senders.put(channel.name(), sender);
    return sender;
  }

  @Override
  public void close() {
    List<ChannelSender> all;
    synchronized (this) {
      running = false;
      all = List.copyOf(senders.values());
    }
    all.forEach(ChannelSender::close);
  }
}
