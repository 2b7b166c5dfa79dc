package dev.midcourse.core.run;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Instant;
import java.util.Optional;

/**
 * The life of a run: a total function from a run and a change to what follows. Only the newest
 * attempt of a running run has a say, and an ended run changes only by a restart or a review.
 */
public final class RunTransitions {
  private RunTransitions() {}

  /** What came of a change. */
  public sealed interface Verdict {
    record Changed(Run run) implements Verdict {}

    /** It comes from an attempt that has no say any more, or says nothing new. */
    record Stale(String why) implements Verdict {}

    /** Somebody asked for what this state does not allow. */
    record NotPossible(Problem problem) implements Verdict {}
  }

  public static Verdict apply(Run run, RunChange change) {
    return switch (change) {
      case RunChange.Picked picked -> picked(run, picked);
      case RunChange.LeaseKept kept ->
          ofAttempt(run, kept.attempt(), () -> edit(run).lease(Optional.of(kept.lease())).done());
      case RunChange.SessionNamed named ->
          ofAttempt(
              run, named.attempt(), () -> edit(run).session(Optional.of(named.session())).done());
      case RunChange.TurnOpened opened ->
          ofAttempt(
              run, opened.attempt(), () -> edit(run).turn(run.turn() + 1).promptDue(false).done());
      case RunChange.Progressed made ->
          ofAttempt(
              run, made.attempt(), () -> edit(run).progress(Optional.of(made.progress())).done());
      case RunChange.Used used ->
          ofAttempt(
              run, used.attempt(), () -> edit(run).spent(run.spent().plus(used.more())).done());
      case RunChange.Needs needs ->
          ofAttempt(run, needs.attempt(), () -> edit(run).needs(needs.what()).done());
      case RunChange.TurnFinished finished ->
          ofAttempt(run, finished.attempt(), () -> edit(run).failures(0).done());
      case RunChange.AttemptLost lost -> ofAttempt(run, lost.attempt(), () -> lost(run, lost));
      case RunChange.Finished finished -> finished(run, finished);
      case RunChange.StopAsked _ ->
          run.state().live()
              ? new Verdict.Changed(edit(run).stopAsked(true).done())
              : notPossible(run, Code.RUN_ENDED, "a live run", "it has ended already");
      case RunChange.Restarted restarted -> restarted(run, restarted);
      case RunChange.ReviewAccepted accepted ->
          run.state() == RunState.REVIEW_REQUESTED
              ? new Verdict.Changed(
                  edit(run)
                      .state(RunState.DONE)
                      .needs(Optional.empty())
                      .endedAt(Optional.of(accepted.at()))
                      .done())
              : notPossible(
                  run, Code.INVALID, "a run that waits for review", "it does not wait for review");
    };
  }

  private static Verdict picked(Run run, RunChange.Picked picked) {
    if (run.state() != RunState.QUEUED) {
      return new Verdict.Stale("it is not queued");
    }
    if (run.notBefore().isPresent() && picked.at().isBefore(run.notBefore().get())) {
      return new Verdict.Stale("its pause is not over");
    }
    return new Verdict.Changed(
        edit(run)
            .state(RunState.RUNNING)
            .attempt(run.attempt() + 1)
            .notBefore(Optional.empty())
            .lease(Optional.of(picked.lease()))
            .startedAt(Optional.of(run.startedAt().orElse(picked.at())))
            .done());
  }

  private static Run lost(Run run, RunChange.AttemptLost lost) {
    return edit(run)
        .state(RunState.QUEUED)
        .failures(run.failures() + 1)
        .notBefore(
            lost.pause().isZero() ? Optional.empty() : Optional.of(lost.at().plus(lost.pause())))
        .session(lost.sessionLost() ? Optional.empty() : run.session())
        .promptDue(run.promptDue() || lost.promptLost())
        .lease(Optional.empty())
        .needs(Optional.empty())
        .done();
  }

  /** A queued run may be stopped; how else it ends, only an attempt that runs can say. */
  private static Verdict finished(Run run, RunChange.Finished finished) {
    if (!run.state().live()) {
      return new Verdict.Stale("it has ended already: " + run.state().wire());
    }
    if (finished.attempt() != run.attempt()) {
      return new Verdict.Stale("attempt " + run.attempt() + " has the say");
    }
    if (run.state() == RunState.QUEUED && finished.outcome().state() != RunState.STOPPED) {
      return new Verdict.Stale("no attempt runs");
    }
    return new Verdict.Changed(
        edit(run)
            .state(finished.outcome().state())
            .lease(Optional.empty())
            .notBefore(Optional.empty())
            .stopAsked(false)
            .needs(Need.of(finished.outcome().state()))
            .endedAt(Optional.of(finished.at()))
            .result(Optional.of(finished.outcome().summary()))
            .done());
  }

  private static Verdict restarted(Run run, RunChange.Restarted restarted) {
    if (!run.state().retryable()) {
      String why =
          run.state().live()
              ? "it is live; stop it first or steer it"
              : "it ended well; start a new run";
      return notPossible(run, Code.DUPLICATE, "a run that failed or was stopped", why);
    }
    return new Verdict.Changed(
        edit(run)
            .spec(restarted.spec())
            .state(RunState.QUEUED)
            .failures(0)
            .session(restarted.fresh() ? restarted.spec().session() : run.session())
            .stopAsked(false)
            .promptDue(true)
            .needs(Optional.empty())
            .progress(Optional.empty())
            .startedAt(Optional.empty())
            .endedAt(Optional.empty())
            .result(Optional.empty())
            .done());
  }

  private interface Then {
    Run run();
  }

  private static Verdict ofAttempt(Run run, int attempt, Then then) {
    if (run.state() != RunState.RUNNING) {
      return new Verdict.Stale("the run is not running: " + run.state().wire());
    }
    if (run.attempt() != attempt) {
      return new Verdict.Stale("attempt " + run.attempt() + " has the say");
    }
    return new Verdict.Changed(then.run());
  }

  private static Verdict notPossible(Run run, Code code, String rule, String why) {
    return new Verdict.NotPossible(
        Problem.of(
            code, "run_id", rule, "run " + run.id() + " is " + run.state().wire() + ": " + why));
  }

  private static Edit edit(Run run) {
    return new Edit(run);
  }

  /** A run under change; every field starts as the run has it. */
  private static final class Edit {
    private final Run from;
    private RunSpec spec;
    private RunState state;
    private int attempt;
    private int failures;
    private Optional<Instant> notBefore;
    private int turn;
    private Optional<SessionId> session;
    private Optional<Lease> lease;
    private boolean stopAsked;
    private boolean promptDue;
    private Optional<Progress> progress;
    private Optional<Need> needs;
    private Usage spent;
    private Optional<Instant> startedAt;
    private Optional<Instant> endedAt;
    private Optional<String> result;

    Edit(Run run) {
      from = run;
      spec = run.spec();
      state = run.state();
      attempt = run.attempt();
      failures = run.failures();
      notBefore = run.notBefore();
      turn = run.turn();
      session = run.session();
      lease = run.lease();
      stopAsked = run.stopAsked();
      promptDue = run.promptDue();
      progress = run.progress();
      needs = run.needs();
      spent = run.spent();
      startedAt = run.startedAt();
      endedAt = run.endedAt();
      result = run.result();
    }

    Edit spec(RunSpec value) {
      spec = value;
      return this;
    }

    Edit state(RunState value) {
      state = value;
      return this;
    }

    Edit attempt(int value) {
      attempt = value;
      return this;
    }

    Edit failures(int value) {
      failures = value;
      return this;
    }

    Edit notBefore(Optional<Instant> value) {
      notBefore = value;
      return this;
    }

    Edit turn(int value) {
      turn = value;
      return this;
    }

    Edit session(Optional<SessionId> value) {
      session = value;
      return this;
    }

    Edit lease(Optional<Lease> value) {
      lease = value;
      return this;
    }

    Edit stopAsked(boolean value) {
      stopAsked = value;
      return this;
    }

    Edit promptDue(boolean value) {
      promptDue = value;
      return this;
    }

    Edit progress(Optional<Progress> value) {
      progress = value;
      return this;
    }

    Edit needs(Optional<Need> value) {
      needs = value;
      return this;
    }

    Edit spent(Usage value) {
      spent = value;
      return this;
    }

    Edit startedAt(Optional<Instant> value) {
      startedAt = value;
      return this;
    }

    Edit endedAt(Optional<Instant> value) {
      endedAt = value;
      return this;
    }

    Edit result(Optional<String> value) {
      result = value;
      return this;
    }

    Run done() {
      return new Run(
          from.id(),
          spec,
          state,
          attempt,
          failures,
          notBefore,
          turn,
          session,
          lease,
          stopAsked,
          promptDue,
          progress,
          needs,
          from.steers(),
          spent,
          from.createdAt(),
          startedAt,
          endedAt,
          result);
    }
  }
}
