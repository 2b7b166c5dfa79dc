package dev.midcourse.channels.catalogue;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.outbox.OutboxSender;
import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.channels.outbox.UnsentHandler;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.engine.outbox.OutboxSignal;
import dev.midcourse.ledger.Ledger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configured channels and the sender of their outbox. {@link #outbox()} may be used before
 * {@link #start}, which begins to receive and to send. Channels come and go while it runs.
 */
public final class Channels implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Channels.class.getName());

  /** By name; guarded by this object. */
  private final Map<ChannelName, Channel> channels = new LinkedHashMap<>();

  private final OutboxSender sender;

  /** Guarded by this object; empty before the start. */
  private Optional<ChannelListener> listener = Optional.empty();

  /** Guarded by this object; a channel that comes later is not started. */
  private boolean closed;

  /**
   * @param channels with different names
   */
  public Channels(
      List<Channel> channels,
      Ledger ledger,
      InstantSource clock,
      OutboxSettings settings,
      UnsentHandler unsent) {
    channels.forEach(channel -> this.channels.put(channel.name(), channel));
    this.sender = new OutboxSender(ledger, channels, clock, settings, unsent);
  }

  /** Wakes the sender after a change of the outbox. */
  public OutboxSignal outbox() {
    return sender;
  }

  /** Takes the report of {@link ChannelListener#reportUndelivered}. */
  public void reportUndelivered(ChannelName channel, String message, String reason) {
    sender.reportUndelivered(channel, message, reason);
  }

  public synchronized List<Channel> all() {
    return List.copyOf(channels.values());
  }

  public synchronized Optional<Channel> named(ChannelName name) {
    return Optional.ofNullable(channels.get(name));
  }

  /** Begins to send what waits, and to give what people write to the listener. */
  public synchronized void start(ChannelListener to) {
    sender.start();
    listener = Optional.of(to);
    channels.values().forEach(channel -> channel.start(to));
  }

  /** Uses a channel from now on, in place of one of the same name. */
  public void put(Channel channel) {
    remove(channel.name());
    sender.put(channel);
    synchronized (this) {
      if (closed) {
        close(channel);
        return;
      }
      channels.put(channel.name(), channel);
      listener.ifPresent(channel::start);
    }
  }

  /**
   * Closes the channel, if there is one of this name, after the messages that are being sent. Its
   * further messages wait in the outbox.
   */
  public void remove(ChannelName name) {
    Optional<Channel> removed;
    synchronized (this) {
      removed = Optional.ofNullable(channels.remove(name));
    }
    if (removed.isPresent()) {
      sender.remove(name);
      close(removed.get());
    }
  }

  /** Ends receiving first, so that nothing new is answered; then ends sending. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    all().forEach(Channels::close);
    sender.close();
  }

  private static void close(Channel channel) {
    try {
      channel.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Closing the channel " + channel.name() + " failed.", e);
    }
  }
}
