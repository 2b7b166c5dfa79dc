package dev.midcourse.core.run;

import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * One turn: the message that opened it, kept so that a hub that dies before writing it can be made
 * good, and how it ended.
 *
 * @param taken the agent has shown that it has the message
 */
public record TurnRecord(
    RunId run,
    int number,
    int attempt,
    String message,
    boolean taken,
    Instant openedAt,
    Optional<Instant> endedAt,
    Optional<String> how,
    Optional<String> answer) {

  public static TurnRecord opened(RunId run, int number, int attempt, String message, Instant now) {
    return new TurnRecord(
        run,
        number,
        attempt,
        message,
        false,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public TurnRecord isTaken() {
    return new TurnRecord(run, number, attempt, message, true, openedAt, endedAt, how, answer);
  }

  public TurnRecord ended(Instant at, String itsWay, String itsAnswer) {
    return new TurnRecord(
        run,
        number,
        attempt,
        message,
        taken,
        openedAt,
        Optional.of(at),
        Optional.of(itsWay),
        Optional.of(itsAnswer));
  }
}
