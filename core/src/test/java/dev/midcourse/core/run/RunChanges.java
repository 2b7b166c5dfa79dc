package dev.midcourse.core.run;

import static dev.midcourse.core.Samples.after;
import static dev.midcourse.core.Samples.lease;
import static dev.midcourse.core.Samples.spec;

import dev.midcourse.core.Seeded;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Changes to try on a run: every kind there is, by chance or all of them. */
final class RunChanges {
  private static final RunState[] ENDS =
      Arrays.stream(RunState.values()).filter(state -> !state.live()).toArray(RunState[]::new);

  private RunChanges() {}

  /** Any change at all; mostly of the newest attempt, often of another. */
  static RunChange any(RandomGenerator random, Run run, Instant at) {
    int attempt = random.nextInt(3) > 0 ? run.attempt() : random.nextInt(6);
    List<RunChange> words = ofAttempt(attempt, at);
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> new RunChange.Picked(lease(at), at);
      case 3 -> new RunChange.StopAsked(at);
      case 4 -> new RunChange.Restarted(spec(), random.nextBoolean(), at);
      case 5 -> new RunChange.ReviewAccepted(at);
      case 12 -> new RunChange.NeedDismissed(at);
      case 6 ->
          new RunChange.Finished(attempt, new RunOutcome(Seeded.oneOf(random, ENDS), "over"), at);
      default -> words.get(random.nextInt(words.size()));
    };
  }

  /** Everything an attempt can cause. */
  static List<RunChange> ofAttempt(int attempt, Instant at) {
    return List.of(
        new RunChange.LeaseKept(attempt, lease(at), at),
        new RunChange.SessionNamed(attempt, SessionId.of("ses_" + attempt), at),
        new RunChange.TurnOpened(attempt, at),
        new RunChange.WentIdle(attempt, IdlePeriod.after(at, Duration.ofMinutes(10)), at),
        new RunChange.Progressed(
            attempt, new Progress("working", "words", Optional.empty(), 1, at), at),
        new RunChange.Used(attempt, new Usage(1, 2, 3), at),
        new RunChange.Needs(attempt, Optional.of(new Need.Quiet()), at),
        new RunChange.TurnFinished(attempt, at),
        new RunChange.AttemptLost(attempt, Duration.ofSeconds(5), false, true, "died", at),
        new RunChange.AttemptLost(attempt, Duration.ZERO, true, false, "died", at),
        new RunChange.Finished(attempt, new RunOutcome(RunState.DONE, "fixed"), at));
  }

  /** Enough changes to reach every state, with stale ones among them. */
  static List<RunChange> few() {
    Instant at = after(60);
    Stream<RunChange> ends =
        Arrays.stream(ENDS).map(end -> new RunChange.Finished(1, new RunOutcome(end, "over"), at));
    Stream<RunChange> others =
        Stream.of(
            new RunChange.Picked(lease(at), at),
            new RunChange.StopAsked(at),
            new RunChange.Restarted(spec(), true, at),
            new RunChange.ReviewAccepted(at),
            new RunChange.TurnOpened(1, at),
            new RunChange.TurnOpened(2, at),
            new RunChange.AttemptLost(1, Duration.ZERO, false, false, "died", at),
            new RunChange.AttemptLost(2, Duration.ofSeconds(5), true, false, "died", at),
            new RunChange.Finished(0, new RunOutcome(RunState.STOPPED, "asked for"), at),
            new RunChange.Finished(2, new RunOutcome(RunState.FAILED, "broke"), at));
    return Stream.concat(ends, others).toList();
  }

  /** Returns the attempt of the change, if it belongs to one. */
  static OptionalInt attempt(RunChange change) {
    return switch (change) {
      case RunChange.LeaseKept it -> OptionalInt.of(it.attempt());
      case RunChange.SessionNamed it -> OptionalInt.of(it.attempt());
      case RunChange.TurnOpened it -> OptionalInt.of(it.attempt());
      case RunChange.WentIdle it -> OptionalInt.of(it.attempt());
      case RunChange.Progressed it -> OptionalInt.of(it.attempt());
      case RunChange.Used it -> OptionalInt.of(it.attempt());
      case RunChange.Needs it -> OptionalInt.of(it.attempt());
      case RunChange.TurnFinished it -> OptionalInt.of(it.attempt());
      case RunChange.AttemptLost it -> OptionalInt.of(it.attempt());
      case RunChange.Finished it -> OptionalInt.of(it.attempt());
      case RunChange.Picked _,
          RunChange.StopAsked _,
          RunChange.Restarted _,
          RunChange.NeedDismissed _,
          RunChange.ReviewAccepted _ ->
          OptionalInt.empty();
    };
  }
}
