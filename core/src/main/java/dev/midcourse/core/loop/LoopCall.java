package dev.midcourse.core.loop;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.finding.FindingId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run that the loop ordered. Its text is made once, in the transaction that creates the call.
 *
 * @param number counts the calls of the loop from 1
 * @param round the round of checks in which it belongs; 0 before the first
 * @param head the commit that is looked at; of a call that changes the code, the commit that it
 *     left, and empty before its end
 * @param promptVersion the wording of the task that it had
 * @param given the findings that it has to answer
 * @param cutShort whether a person ended it, so that no budget counts it
 * @param result what came of it, in a few words
 */
public record LoopCall(
    int number,
    CallKind kind,
    int round,
    RunId run,
    Optional<String> head,
    int promptVersion,
    String prompt,
    List<FindingId> given,
    Instant createdAt,
    Optional<Instant> endedAt,
    boolean cutShort,
    String result) {
  public LoopCall {
    given = List.copyOf(given);
  }

  public boolean isOpen() {
    return endedAt.isEmpty();
  }

  /** The same call, which has left this commit. */
  public LoopCall at(String commit) {
    return new LoopCall(
        number,
        kind,
        round,
        run,
        Optional.of(commit),
        promptVersion,
        prompt,
        given,
        createdAt,
        endedAt,
        cutShort,
        result);
  }

  public LoopCall ended(Instant at, String what) {
    return closed(at, false, what);
  }

  public LoopCall cut(Instant at, String what) {
    return closed(at, true, what);
  }

  private LoopCall closed(Instant at, boolean cut, String what) {
    return new LoopCall(
        number,
        kind,
        round,
        run,
        head,
        promptVersion,
        prompt,
        given,
        createdAt,
        Optional.of(at),
        cut,
        what);
  }

  /** The call as a person reads it: {@code fix (call 5)}. */
  public String title() {
    return kind.wire() + " (call " + number + ")";
  }
}
