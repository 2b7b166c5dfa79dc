package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.discord.api.Snowflake;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Limits how often the bot begins a new session, over restarts too: 20 at once and one in three
 * minutes. Discord resets the token of a bot that does so 1,000 times in a day.
 */
public final class IdentifyBudget {
  public static final int MAX_AT_ONCE = 20;
  private static final Duration REFILL_INTERVAL = Duration.ofMinutes(3);
  private static final String NAME = "identifies";

  private final ChannelState state;
  private final InstantSource clock;

  public IdentifyBudget(ChannelState state, InstantSource clock) {
    this.state = state;
    this.clock = clock;
  }

  /**
   * Takes one. What is stored is the moment at which the budget is full again.
   *
   * @throws RetryLaterException if none is left
   */
  void take() throws RetryLaterException {
    Instant now = clock.instant();
    Instant empty = now.plus(REFILL_INTERVAL.multipliedBy(MAX_AT_ONCE));
    Instant full =
        state
            .get(NAME)
            .filter(Snowflake::isValid)
            .map(text -> Instant.ofEpochMilli(Long.parseLong(text)))
            .filter(at -> at.isAfter(now))
            .map(at -> at.isAfter(empty) ? empty : at) // the clock was set back
            .orElse(now);
    Instant next = full.plus(REFILL_INTERVAL);
    Duration over = Duration.between(empty, next);
    if (over.isPositive()) {
      throw new RetryLaterException(
          "too many new sessions; Discord resets the token of a bot with 1,000 in a day", over);
    }
    state.put(NAME, Long.toString(next.toEpochMilli()));
  }
}
