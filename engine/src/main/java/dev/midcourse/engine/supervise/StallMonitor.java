package dev.midcourse.engine.supervise;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import java.time.Instant;
import java.util.Optional;

/**
 * Detects an agent that makes no progress. The run says that it needs attention while the agent is
 * quiet; an agent that is stuck is a reason to give the attempt up. Only activity of the agent ends
 * the quiet, so a restart of the hub neither repeats an alarm nor brings a dismissed one back.
 */
final class StallMonitor {
  private final AttemptUnitOfWork unitOfWork;
  private final AttemptState state;
  private final StallPolicy policy;
  private final QuestionHandler questions;
  private boolean quiet;

  /** The last activity before the agent was found quiet, or the beginning of the watch. */
  private Instant activeBefore;

  StallMonitor(AttemptContext context, QuestionHandler questions) {
    this.unitOfWork = context.unitOfWork();
    this.state = context.state();
    this.policy = context.settings().stallPolicy();
    this.questions = questions;
    this.quiet = state.activity().wasQuietBefore();
    this.activeBefore = state.activity().lastActivity();
  }

  /**
   * Records a change between quiet and active. Returns why the attempt should be given up, if so.
   */
  Optional<String> check() {
    Instant now = unitOfWork.now();
    if (waitsForInput()) {
      endQuiet(now);
    }
    if (!isWatching()) {
      return Optional.empty();
    }
    return switch (policy.look(
        state.activity().lastActivity(), state.activity().runningTools(), now)) {
      case StallPolicy.Assessment.Fine _ -> {
        endQuiet(now);
        yield Optional.empty();
      }
      case StallPolicy.Assessment.Quiet(String reason, _) -> {
        if (!quiet) {
          quiet = true;
          activeBefore = state.activity().lastActivity();
          unitOfWork.change(
              new RunChange.Needs(unitOfWork.attemptNumber(), Optional.of(new Need.Quiet()), now));
          unitOfWork.append(new RunEvent.Quiet(unitOfWork.attemptNumber(), reason));
        }
        yield Optional.empty();
      }
      case StallPolicy.Assessment.Stuck(String reason) -> Optional.of("stuck: " + reason);
    };
  }

  private void endQuiet(Instant now) {
    if (quiet && state.activity().lastActivity().isAfter(activeBefore)) {
      quiet = false;
      unitOfWork.change(new RunChange.Needs(unitOfWork.attemptNumber(), Optional.empty(), now));
      unitOfWork.append(new RunEvent.QuietOver(unitOfWork.attemptNumber()));
    }
  }

  /** When the next check is due. */
  Optional<Instant> wakeAt() {
    if (!isWatching()) {
      return Optional.empty();
    }
    Instant now = unitOfWork.now();
    return Optional.of(
        switch (policy.look(
            state.activity().lastActivity(), state.activity().runningTools(), now)) {
          case StallPolicy.Assessment.Fine(Instant at) -> at;
          case StallPolicy.Assessment.Quiet(_, Instant at) -> at;
          case StallPolicy.Assessment.Stuck _ -> now;
        });
  }

  /** An agent that waits for the supervisor, or for a person, is not quiet. */
  private boolean isWatching() {
    return !questions.hasOpen() && !waitsForInput();
  }

  private boolean waitsForInput() {
    return state.started() && state.hasSettled() && unitOfWork.inTransit().isEmpty();
  }
}
