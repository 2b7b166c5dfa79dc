package dev.midcourse.hub.loop;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopCheck;
import dev.midcourse.core.loop.PromptVersion;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.ledger.LedgerReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a person who looks at one loop sees in addition to the loop.
 *
 * @param host the host that has the repository
 * @param reviewDue when a person is asked because the review has not come
 * @param ciDue when a person is asked because CI has not ended
 * @param prompts all wordings of the task, the newest last
 */
public record LoopProgress(
    HostName host,
    Limits limits,
    Optional<Instant> reviewDue,
    Optional<Instant> ciDue,
    List<Wording> prompts,
    List<CallProgress> calls) {

  /** The limits of money, tokens and time; a limit that is missing is not set. */
  public record Limits(Optional<Double> costUsd, Optional<Long> tokens, Optional<Long> seconds) {}

  /** One wording of the task. */
  public record Wording(int number, String text, Author author, Instant at) {}

  /**
   * One call, with what its run has used.
   *
   * @param commit the commit that was looked at, or that the call left
   * @param given the findings that it had to answer
   * @param cutShort whether a person ended it
   * @param state the state of the run; missing as long as there is none
   */
  public record CallProgress(
      int number,
      RunId runId,
      Optional<String> commit,
      List<String> given,
      boolean cutShort,
      boolean changes,
      Optional<RunState> state,
      Usage spent) {}

  static LoopProgress of(Loop loop, LedgerReader reading) {
    return new LoopProgress(
        loop.spec().host(),
        new Limits(
            loop.budget().microDollars().map(it -> it / 1_000_000.0),
            loop.budget().tokens(),
            loop.budget().time().map(Duration::toSeconds)),
        loop.check().filter(it -> it.review().isEmpty()).map(LoopCheck::reviewDue),
        loop.check().filter(it -> it.ci().isEmpty()).map(LoopCheck::ciDue),
        loop.prompts().stream().map(LoopProgress::wording).toList(),
        loop.calls().stream().map(it -> call(loop, it, reading.run(it.run()))).toList());
  }

  private static Wording wording(PromptVersion it) {
    return new Wording(it.number(), it.text(), it.author(), it.at());
  }

  private static CallProgress call(Loop loop, LoopCall it, Optional<Run> run) {
    return new CallProgress(
        it.number(),
        it.run(),
        it.head(),
        it.given().stream().map(Object::toString).toList(),
        it.cutShort(),
        loop.changesOf(it.number()).filter(made -> !made.from().equals(made.to())).isPresent(),
        run.map(Run::state),
        run.map(Run::spent).orElse(Usage.NOTHING));
  }
}
