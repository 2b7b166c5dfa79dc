package dev.midcourse.engine.outbox;

import dev.midcourse.core.chat.ChannelName;

/** Tells the sender that the outbox of a channel has changed. */
@FunctionalInterface
public interface OutboxSignal {
  /**
   * Wakes the sender of the channel. Returns at once, also for a channel that is not configured;
   * called after the commit, also by the writer thread of the ledger.
   */
  void wake(ChannelName channel);
}
