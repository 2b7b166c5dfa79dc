package dev.midcourse.core.run;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One turn: its opening message and how it ended. The message is stored before it is written to the
 * agent, so that a later hub can write it if this one dies in between.
 *
 * @param steers the steers that are part of the message
 * @param taken the agent has shown that it has the message
 * @param how how the turn ended; empty while it runs
 * @param answer the final answer of the agent, or the error
 */
public record TurnRecord(
    RunId run,
    int number,
    int attempt,
    TurnPurpose purpose,
    String message,
    List<SteerId> steers,
    boolean taken,
    Instant openedAt,
    Optional<Instant> endedAt,
    Optional<TurnEnd> how,
    Optional<String> answer) {

  public TurnRecord {
    steers = List.copyOf(steers);
  }

  public static TurnRecord opened(
      RunId run,
      int number,
      int attempt,
      TurnPurpose purpose,
      String message,
      List<SteerId> steers,
      Instant now) {
    return new TurnRecord(
        run,
        number,
        attempt,
        purpose,
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
    return how.equals(Optional.of(TurnEnd.COMPLETED));
  }

  public TurnRecord asTaken() {
    return new TurnRecord(
        run, number, attempt, purpose, message, steers, true, openedAt, endedAt, how, answer);
  }

  public TurnRecord ended(Instant at, TurnEnd itsWay, String itsAnswer) {
    return new TurnRecord(
        run,
        number,
        attempt,
        purpose,
        message,
        steers,
        taken,
        openedAt,
        Optional.of(at),
        Optional.of(itsWay),
        Optional.of(itsAnswer));
  }
}
