package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.connection.ChannelState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What the channel has stored about its stream of updates: the number of the last one, and until
 * when it certainly has them all. It belongs to one bot, since another bot has other numbers.
 */
public final class TelegramPosition {
  /** After a week without updates the numbers start again anywhere, also lower. */
  private static final Duration MAX_AGE = Duration.ofDays(6);

  private static final Duration STORE_INTERVAL = Duration.ofSeconds(30);

  private final ChannelState state;
  private final String positionKey;
  private final String completeKey;
  private final InstantSource clock;
  private Instant lastStored = Instant.MIN; // only the thread of the session uses it

  public TelegramPosition(ChannelState state, String botId, InstantSource clock) {
    this.state = state;
    this.positionKey = "position-" + botId;
    this.completeKey = "complete-" + botId;
    this.clock = clock;
  }

  /**
   * The number of the next update. Empty if it is not known or too old: Telegram then gives every
   * update that was not confirmed, and forgets none.
   */
  public Optional<Long> next() {
    return state
        .get(positionKey)
        .flatMap(stored -> {
          String[] parts = stored.split(" ", 2);
          try {
            Instant at = Instant.ofEpochSecond(Long.parseLong(parts[1]));
            boolean isOld = at.plus(MAX_AGE).isBefore(clock.instant());
            return isOld ? Optional.empty() : Optional.of(Long.parseLong(parts[0]) + 1);
          } catch (NumberFormatException | ArrayIndexOutOfBoundsException | DateTimeException e) {
            return Optional.empty();
          }
        });
  }

  /** Everything up to this update is durable. */
  void advance(long update) {
    state.put(positionKey, update + " " + clock.instant().getEpochSecond());
  }

  /** When the channel last had everything. */
  Optional<Instant> completeUntil() {
    return state
        .get(completeKey)
        .flatMap(stored -> {
          try {
            return Optional.of(Instant.ofEpochSecond(Long.parseLong(stored)));
          } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty();
          }
        });
  }

  /** The channel has everything until now. Stores this seldom. */
  void complete() {
    Instant now = clock.instant();
    if (lastStored.equals(Instant.MIN) || lastStored.plus(STORE_INTERVAL).isBefore(now)) {
      state.put(completeKey, Long.toString(now.getEpochSecond()));
      lastStored = now;
    }
  }
}
