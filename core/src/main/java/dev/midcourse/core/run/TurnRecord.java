package dev.midcourse.core.run;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One turn: the message that opened it, kept so that a hub that dies before writing it can be made
 * good, and how it ended.
 *
 * @param steers the steers that are part of the message
 * @param taken the agent has shown that it has the message
 */
public record TurnRecord(
    RunId run,
    int number,
    int attempt,
    String message,
    List<SteerId> steers,
    boolean taken,
    Instant openedAt,
    Optional<Instant> endedAt,
    Optional<String> how,
    Optional<String> answer) {

  public TurnRecord {
    steers = List.copyOf(steers);
  }

  public static TurnRecord opened(
      RunId run, int number, int attempt, String message, List<SteerId> steers, Instant now) {
    return new TurnRecord(
        run,
        number,
        attempt,
        message,
        steers,
        false,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether the agent came to an end of its own. */
  public boolean completed() {
    return how.filter("completed"::equals).isPresent();
  }

  public TurnRecord isTaken() {
    return new TurnRecord(
        run, number, attempt, message, steers, true, openedAt, endedAt, how, answer);
  }

  public TurnRecord ended(Instant at, String itsWay, String itsAnswer) {
    return new TurnRecord(
        run,
        number,
        attempt,
        message,
        steers,
        taken,
        openedAt,
        Optional.of(at),
        Optional.of(itsWay),
        Optional.of(itsAnswer));
  }
}
