package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer.RungClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Decides whether a request is stored as a steer, repeats a stored one with the same key, or is
 * refused. The decision is made inside the transaction that stores the steer.
 */
public final class SteerIntake {
  /** The maximum of open steers of one run. */
  public static final int MAX_OPEN = 1_000;

  private SteerIntake() {}

  /**
   * The facts for the decision.
   *
   * @param author the proved author of the request
   * @param supervised whether a supervisor owns the open steers of the run; then only the
   *     supervisor ends the superseded steer, because only it knows whether the agent holds it
   * @param can read only when it is needed, like {@code openSteers}: each is a query
   */
  public record Known(
      Run run,
      Author author,
      boolean supervised,
      Supplier<Capabilities> can,
      Optional<Steer> sameKey,
      Optional<Steer> superseded,
      IntSupplier openSteers,
      long nextSeq) {}

  /** The decision. */
  public sealed interface IntakeDecision {
    /** Store the steer, and the changed superseded one if there is one. */
    record Store(Steer steer, Optional<Steer> superseded) implements IntakeDecision {}

    /** The same request was stored before as this steer. */
    record Repeat(Steer steer) implements IntakeDecision {}

    record Refuse(Problem problem) implements IntakeDecision {}
  }

  public static IntakeDecision judge(SteerRequest request, Known known, SteerId id, Instant now) {
    if (known.sameKey().isPresent()) {
      return sameKey(request, known.run(), known.sameKey().get());
    }
    Optional<Problem> problem = problem(request, known);
    if (problem.isPresent()) {
      return new IntakeDecision.Refuse(problem.get());
    }
    Steer steer = steer(request, known, id, now);
    boolean asksItBack =
        known.supervised() && known.superseded().filter(Steer::inTransit).isPresent();
    if (known.superseded().isEmpty() || asksItBack) {
      return new IntakeDecision.Store(steer, Optional.empty());
    }
    return switch (SteerTransitions.apply(
        known.superseded().get(), new SteerChange.Superseded(id, now))) {
      case Transition.Changed(Steer older) ->
          new IntakeDecision.Store(
              steer, known.supervised() ? Optional.empty() : Optional.of(older));
      case Transition.Rejected(Problem why) ->
          new IntakeDecision.Refuse(
              Problem.of(why.code(), "supersedes", why.rule(), why.message()));
      case Transition.Stale(String why) ->
          new IntakeDecision.Refuse(Problem.of(Code.TOO_LATE, "supersedes", "an open steer", why));
    };
  }

  private static IntakeDecision sameKey(SteerRequest request, Run run, Steer stored) {
    if (stored.keyedContent().equals(Optional.of(request.contentDigest(run.id())))) {
      return new IntakeDecision.Repeat(stored);
    }
    return new IntakeDecision.Refuse(
        Problem.of(
            Code.KEY_CONFLICT,
            "key",
            "one key, one content",
            "the key was used before for steer "
                + stored.id().shortened()
                + " with different content; nothing was stored"));
  }

  private static Optional<Problem> problem(SteerRequest request, Known known) {
    Run run = known.run();
    if (!run.state().live()) {
      return Optional.of(ended(run));
    }
    if (request.expectedTurn().isPresent() && request.expectedTurn().get() != run.turn()) {
      return Optional.of(
          Problem.of(
              Code.WRONG_TURN,
              "expected_turn",
              "the running turn",
              "expected turn "
                  + request.expectedTurn().get()
                  + ", but turn "
                  + run.turn()
                  + " is running"));
    }
    if (known.nextSeq() > MAX_OPEN && known.openSteers().getAsInt() >= MAX_OPEN) {
      return Optional.of(
          Problem.of(
              Code.LIMIT,
              "run_id",
              "at most " + MAX_OPEN + " open steers",
              "run "
                  + run.id()
                  + " has the maximum number of open steers; wait until some have ended"));
    }
    if (request.supersedes().isPresent()
        && known.superseded().filter(older -> older.run().equals(run.id())).isEmpty()) {
      return Optional.of(
          Problem.of(
              Code.NOT_FOUND,
              "supersedes",
              "a steer of the same run",
              "run " + run.id() + " has no steer " + request.supersedes().get()));
    }
    boolean failing = request.onUnsupported() == OnUnsupported.FAIL;
    if (failing && !supported(request.mode(), known.can().get())) {
      return Optional.of(
          Problem.of(
              Code.UNSUPPORTED,
              "mode",
              "a mode that the agent supports",
              run.spec().agent()
                  + " does not support "
                  + request.mode().wire()
                  + "; with on_unsupported=degrade it is delivered at the end of the turn"));
    }
    return Optional.empty();
  }

  /** Whether the agent supports the mode without a replacement. */
  public static boolean supported(SteerMode mode, Capabilities can) {
    return switch (mode) {
      case STEER -> can.has(Capability.MID_TURN_STEER);
      case INTERRUPT -> can.has(Capability.INTERRUPT);
      case FOLLOW_UP, NEXT, STOP -> true;
    };
  }

  private static Problem ended(Run run) {
    String instead =
        switch (run.state()) {
          case DONE, REVIEW_REQUESTED -> "start a new run";
          case FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED -> "restart it with a new prompt";
          case QUEUED, RUNNING -> "";
        };
    return Problem.of(
        Code.RUN_ENDED,
        "run_id",
        "a live run",
        "run " + run.id() + " has ended (" + run.state().wire() + "): " + instead);
  }

  private static Steer steer(SteerRequest request, Known known, SteerId id, Instant now) {
    return new Steer(
        id,
        known.run().id(),
        known.nextSeq(),
        known.author(),
        request.mode(),
        Optional.empty(),
        request.onUnsupported(),
        request.text(),
        0,
        request.key(),
        request.key().map(_ -> request.contentDigest(known.run().id())),
        request.expectedTurn(),
        request.timeToLive().map(now::plus),
        known.superseded().map(Steer::id),
        0,
        List.of(new RungClaim(Rung.STORED, now, 0, "committed to the ledger")),
        Optional.empty(),
        Optional.empty());
  }
}
