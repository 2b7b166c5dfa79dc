package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.discord.api.Snowflake;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Keeps the position in memory and stores it now and then. After a crash the events since the last
 * storing come again, and change nothing. While a gap is being filled the stored position has no
 * session and the old border, so that a crash leads to the same gap again.
 */
public final class GatewayPositionStore {
  private static final String NAME = "position";
  private static final int MAX_UNSTORED = 100;

  private final ChannelState state;

  /** All fields below are guarded by this object. */
  private GatewayPosition current = GatewayPosition.NONE;

  private Optional<String> gapFrom = Optional.empty();
  private int unstored;
  private boolean loaded;

  public GatewayPositionStore(ChannelState state) {
    this.state = state;
  }

  public synchronized GatewayPosition get() {
    if (!loaded) {
      current = state.get(NAME).map(GatewayPosition::read).orElse(GatewayPosition.NONE);
      loaded = true;
    }
    return current;
  }

  /** Changes the position, and stores it if many changes are not stored. */
  synchronized void change(UnaryOperator<GatewayPosition> change) {
    current = change.apply(get());
    unstored++;
    if (unstored >= MAX_UNSTORED) {
      store();
    }
  }

  /** Returns when every change is durable. */
  synchronized void storeChanges() {
    if (unstored > 0) {
      store();
    }
  }

  /**
   * Messages after this one may be missing until {@link #endGap}. Returns the older border of an
   * earlier gap that has not ended.
   */
  synchronized String beginGap(String after) {
    String from = gapFrom.filter(older -> Snowflake.isAfter(after, older)).orElse(after);
    gapFrom = Optional.of(from);
    store();
    return from;
  }

  synchronized void endGap() {
    gapFrom = Optional.empty();
    store();
  }

  private void store() {
    GatewayPosition now = get();
    GatewayPosition stored =
        gapFrom.isPresent() ? new GatewayPosition(Optional.empty(), 0, gapFrom, now.alive()) : now;
    state.put(NAME, stored.write());
    unstored = 0;
  }
}
