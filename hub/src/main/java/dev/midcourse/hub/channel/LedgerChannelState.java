package dev.midcourse.hub.channel;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import java.util.Optional;

/**
 * The stored state of a channel, as settings in the ledger. A channel that was removed leaves its
 * state behind; one that is added later under the same name does not see it.
 */
final class LedgerChannelState implements ChannelState {
  private static final String GENERATION = "generation";

  private final Ledger ledger;
  private final String prefix;

  private LedgerChannelState(Ledger ledger, String prefix) {
    this.ledger = ledger;
    this.prefix = prefix;
  }

  static LedgerChannelState of(Ledger ledger, ChannelName channel) {
    String generation = setting(ledger, base(channel) + GENERATION).orElse("0");
    return new LedgerChannelState(ledger, base(channel) + generation + ".");
  }

  /** Hides the state of a channel that is removed. */
  static void forget(Ledger ledger, ChannelName channel) {
    String name = base(channel) + GENERATION;
    ledger.write(tx -> {
      long next = tx.setting(name).map(Long::parseLong).orElse(0L) + 1;
      tx.putSetting(name, Long.toString(next));
      return next;
    });
  }

  private static String base(ChannelName channel) {
    return "channel." + channel + ".";
  }

  private static Optional<String> setting(Ledger ledger, String name) {
    return ledger.read(reading -> reading.setting(name));
  }

  @Override
  public Optional<String> get(String name) {
    return setting(ledger, prefix + name);
  }

  @Override
  public void put(String name, String value) {
    ledger.write(
        Priority.LAZY,
        tx -> {
          tx.putSetting(prefix + name, value);
          return name;
        });
  }
}
