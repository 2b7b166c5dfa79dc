package dev.midcourse.core.run;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.watch.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rules for the state of a run: a total function from a run and a change to the next run.
 *
 * <ul>
 *   <li>A change by an attempt counts only while that attempt is the newest and the run is running.
 *   <li>An ended run changes only by a restart or a review, or when its alarm is dismissed.
 * </ul>
 */
public final class RunTransitions {
  private RunTransitions() {}

  public static Transition<Run> apply(Run run, RunChange change) {
    return switch (change) {
      case RunChange.Picked it -> picked(run, it);
      case RunChange.LeaseKept it ->
          byAttempt(run, it.attempt(), draft -> draft.lease = Optional.of(it.lease()));
      case RunChange.SessionNamed it ->
          byAttempt(run, it.attempt(), draft -> draft.session = Optional.of(it.session()));
      case RunChange.TurnOpened it ->
          byAttempt(
              run,
              it.attempt(),
              draft -> {
                endIdle(draft, it.at());
                draft.turn++;
                draft.promptDue = false;
              });
      case RunChange.WentIdle it ->
          byAttempt(run, it.attempt(), draft -> draft.idle = Optional.of(it.period()));
      case RunChange.Progressed it ->
          byAttempt(run, it.attempt(), draft -> draft.progress = Optional.of(it.progress()));
      case RunChange.Used it ->
          byAttempt(run, it.attempt(), draft -> draft.spent = run.spent().plus(it.more()));
      case RunChange.Needs it -> byAttempt(run, it.attempt(), draft -> draft.needs = it.what());
      case RunChange.NeedDismissed _ -> needDismissed(run);
      case RunChange.TurnFinished it -> byAttempt(run, it.attempt(), draft -> draft.failures = 0);
      case RunChange.AttemptLost it -> byAttempt(run, it.attempt(), draft -> lost(draft, it));
      case RunChange.Finished it -> finished(run, it);
      case RunChange.StopAsked _ -> stopAsked(run);
      case RunChange.Restarted it -> restarted(run, it);
      case RunChange.ReviewAccepted it -> reviewAccepted(run, it);
    };
  }

  private static Transition<Run> picked(Run run, RunChange.Picked picked) {
    if (run.state() != RunState.QUEUED) {
      return new Transition.Stale<>("it is not queued");
    }
    if (run.notBefore().isPresent() && picked.at().isBefore(run.notBefore().get())) {
      return new Transition.Stale<>("its pause is not over");
    }
    return changed(
        run,
        draft -> {
          draft.state = RunState.RUNNING;
          draft.attempt++;
          draft.notBefore = Optional.empty();
          draft.lease = Optional.of(picked.lease());
          draft.startedAt = Optional.of(run.startedAt().orElse(picked.at()));
        });
  }

  private static void lost(RunEditor draft, RunChange.AttemptLost lost) {
    draft.state = RunState.QUEUED;
    draft.failures++;
    draft.notBefore = Optional.of(lost.at().plus(lost.pause())).filter(_ -> !lost.pause().isZero());
    draft.session = draft.session.filter(_ -> !lost.sessionLost());
    draft.promptDue |= lost.promptLost();
    draft.lease = Optional.empty();
    draft.needs = Optional.empty();
    endIdle(draft, lost.at());
  }

  private static void endIdle(RunEditor draft, Instant at) {
    draft.idled =
        draft.idled.plus(draft.idle.map(period -> period.lengthAt(at)).orElse(Duration.ZERO));
    draft.idle = Optional.empty();
  }

  /** A queued run can only be stopped; every other end comes from an attempt that runs. */
  private static Transition<Run> finished(Run run, RunChange.Finished finished) {
    if (!run.state().live()) {
      return new Transition.Stale<>("it has already ended: " + run.state().wire());
    }
    if (finished.attempt() != run.attempt()) {
      return new Transition.Stale<>("attempt " + run.attempt() + " has the say");
    }
    RunState end = finished.outcome().state();
    if (run.state() == RunState.QUEUED && end != RunState.STOPPED) {
      return new Transition.Stale<>("no attempt runs");
    }
    return changed(
        run,
        draft -> {
          endIdle(draft, finished.at());
          draft.state = end;
          draft.lease = Optional.empty();
          draft.notBefore = Optional.empty();
          draft.stopAsked = false;
          draft.needs = Need.of(end);
          draft.endedAt = Optional.of(finished.at());
          draft.result = Optional.of(finished.outcome().summary());
        });
  }

  private static Transition<Run> stopAsked(Run run) {
    return run.state().live()
        ? changed(run, draft -> draft.stopAsked = true)
        : rejected(run, Code.RUN_ENDED, "a live run", "it has already ended");
  }

  /** A question and a review wait for a decision, which a dismissal is not. */
  private static Transition<Run> needDismissed(Run run) {
    if (run.needs().isEmpty()) {
      return rejected(
          run, Code.INVALID, "a run that needs attention", "there is nothing to dismiss");
    }
    return switch (run.needs().get()) {
      case Need.Answer _ ->
          rejected(run, Code.INVALID, "an alarm", "its agent waits for an answer; answer it");
      case Need.Review _ ->
          rejected(run, Code.INVALID, "an alarm", "it waits for review; accept or rework it");
      case Need.Quiet _, Need.FailedContract _, Need.TimedOut _, Need.Failed _, Need.Unknown _ ->
          changed(run, draft -> draft.needs = Optional.empty());
    };
  }

  private static Transition<Run> restarted(Run run, RunChange.Restarted restarted) {
    if (!run.state().retryable()) {
      String why = run.state().live() ? "stop it first, or steer it" : "start a new run instead";
      return rejected(run, Code.DUPLICATE, "a run that failed or was stopped", why);
    }
    return changed(
        run,
        draft -> {
          draft.spec = restarted.spec();
          draft.state = RunState.QUEUED;
          draft.failures = 0;
          draft.session = restarted.fresh() ? restarted.spec().session() : run.session();
          draft.stopAsked = false;
          draft.promptDue = true;
          draft.needs = Optional.empty();
          draft.progress = Optional.empty();
          draft.startedAt = Optional.empty();
          draft.endedAt = Optional.empty();
          draft.result = Optional.empty();
          draft.idle = Optional.empty();
          draft.idled = Duration.ZERO;
        });
  }

  private static Transition<Run> reviewAccepted(Run run, RunChange.ReviewAccepted accepted) {
    if (run.state() != RunState.REVIEW_REQUESTED) {
      return rejected(
          run, Code.INVALID, "a run that waits for review", "it does not wait for review");
    }
    return changed(
        run,
        draft -> {
          draft.state = RunState.DONE;
          draft.needs = Optional.empty();
          draft.endedAt = Optional.of(accepted.at());
        });
  }

  private static Transition<Run> byAttempt(Run run, int attempt, Consumer<RunEditor> edit) {
    if (run.state() != RunState.RUNNING) {
      return new Transition.Stale<>("the run is not running: " + run.state().wire());
    }
    if (run.attempt() != attempt) {
      return new Transition.Stale<>("attempt " + run.attempt() + " has the say");
    }
    return changed(run, edit);
  }

  private static Transition<Run> changed(Run run, Consumer<RunEditor> edit) {
    RunEditor draft = new RunEditor(run);
    edit.accept(draft);
    return new Transition.Changed<>(draft.run());
  }

  private static Transition<Run> rejected(Run run, Code code, String rule, String why) {
    return new Transition.Rejected<>(
        Problem.of(
            code, "run_id", rule, "run " + run.id() + " is " + run.state().wire() + ": " + why));
  }

  /** A copy of a run whose fields can be set. */
  private static final class RunEditor {
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
    private Optional<IdlePeriod> idle;
    private Duration idled;

    RunEditor(Run run) {
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
      idle = run.idle();
      idled = run.idled();
    }

    Run run() {
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
          result,
          idle,
          idled);
    }
  }
}
