package dev.midcourse.core;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Plain runs and steers to begin a test with. */
public final class Samples {
  public static final Instant START = Instant.parse("2026-03-01T09:00:00Z");
  public static final RunId RUN = RunId.of("fix-the-login");
  public static final Author ANNA = Author.person("terminal");
  public static final HostName HOST = HostName.of("host-1");

  private Samples() {}

  public static Instant after(long seconds) {
    return START.plusSeconds(seconds);
  }

  public static RunSpec spec() {
    return new RunSpec(
        "fix the login",
        AgentName.of("rehearsal"),
        WorkerName.of("worker-1"),
        "shop",
        ANNA,
        PendingPolicy.ALL,
        RunSpec.DEFAULT_ATTEMPTS,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static Run queued() {
    return Run.queued(RUN, spec(), START);
  }

  public static Lease lease(Instant now) {
    return new Lease(HOST, now.plus(Duration.ofSeconds(30)));
  }

  public static Run running() {
    return then(queued(), new RunChange.Picked(lease(START), START));
  }

  /** A run in its first attempt, in this turn. */
  public static Run inTurn(int turn) {
    Run run = running();
    while (run.turn() < turn) {
      run = then(run, new RunChange.TurnOpened(1, START));
    }
    return run;
  }

  public static Run ended(RunState state) {
    return then(running(), new RunChange.Finished(1, new RunOutcome(state, "over"), after(60)));
  }

  public static Run then(Run run, RunChange change) {
    return switch (RunTransitions.apply(run, change)) {
      case Transition.Changed(Run next) -> next;
      case Transition.Stale(String why) -> throw new AssertionError("stale: " + why);
      case Transition.Rejected(Problem problem) -> throw new AssertionError(problem.message());
    };
  }

  /** The same id for the same sequence number, so that tests can name it. */
  public static SteerId steerId(long seq) {
    return SteerId.of("00000000-0000-4000-8000-%012x".formatted(seq));
  }

  public static SteerRequest request(SteerMode mode, String text) {
    return SteerRequest.steer(text).withMode(mode);
  }

  /** A steer as it is after it was stored. */
  public static Steer stored(long seq, SteerMode mode) {
    return stored(seq, request(mode, "steer number " + seq));
  }

  public static Steer stored(long seq, SteerRequest request) {
    return stored(seq, request, Optional.empty());
  }

  /** A steer as it is after it was stored to replace another of a supervised run. */
  public static Steer stored(long seq, SteerRequest request, Steer older) {
    return stored(seq, request, Optional.of(older));
  }

  private static Steer stored(long seq, SteerRequest request, Optional<Steer> older) {
    return stored(inTurn(request.expectedTurn().orElse(0)), ANNA, seq, request, older);
  }

  /** A steer of this author, as it is after it was stored. */
  public static Steer storedBy(Author author, long seq, SteerRequest request) {
    return stored(inTurn(0), author, seq, request, Optional.empty());
  }

  /** A steer of another run than {@link #RUN}. */
  public static Steer storedElsewhere(long seq, SteerRequest request) {
    return stored(
        Run.queued(RunId.of("another-run"), spec(), START), ANNA, seq, request, Optional.empty());
  }

  private static Steer stored(
      Run run, Author author, long seq, SteerRequest request, Optional<Steer> older) {
    SteerIntake.Known known =
        new SteerIntake.Known(
            run, author, true, () -> Capabilities.FULL, Optional.empty(), older, () -> 0, seq);
    return switch (SteerIntake.judge(request, known, steerId(seq), START)) {
      case SteerIntake.IntakeDecision.Store(Steer steer, Optional<Steer> _) -> steer;
      case SteerIntake.IntakeDecision.Repeat(Steer steer) ->
          throw new AssertionError("a repeat of " + steer);
      case SteerIntake.IntakeDecision.Refuse(Problem problem) ->
          throw new AssertionError(problem.message());
    };
  }
}
