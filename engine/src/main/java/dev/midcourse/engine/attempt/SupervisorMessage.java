package dev.midcourse.engine.attempt;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerText;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * A message to a supervisor. Everything that concerns its run comes through its mailbox, in order.
 */
public sealed interface SupervisorMessage {
  /** Output of the agent of this attempt. */
  record AgentOutput(int attempt, AgentEventBatch batch) implements SupervisorMessage {}

  /** This hub has stored a steer. */
  record SteerStored(Steer steer) implements SupervisorMessage {}

  /** The log has a steer that another host may have stored. */
  record SteerStoredElsewhere(SteerId steer) implements SupervisorMessage {}

  /** The log has a stop; the ledger knows whether it still applies. */
  record StopRequestedElsewhere() implements SupervisorMessage {}

  /** A command about a pending steer. The answer completes when its outcome is durable. */
  record ChangeSteer(SteerId steer, SteerCommand command, CompletableFuture<Steer> answer)
      implements SupervisorMessage {}

  /** The answer of a person to a question of the agent. */
  record AnswerQuestion(String ask, AskAnswer answer, Author by, CompletableFuture<Void> done)
      implements SupervisorMessage {}

  /** The ledger has a stop for the run. */
  record Stop() implements SupervisorMessage {}

  /** A queued run needs the place of this one, which ends if its agent is idle. */
  record GiveWay(RunId queued) implements SupervisorMessage {}

  /** A commit failed: the ledger lacks changes that this supervisor has made. */
  record CommitFailed(RuntimeException why) implements SupervisorMessage {}

  /** The hub goes down; the agent keeps running. */
  record Detach() implements SupervisorMessage {}

  /** Time to check whether the lease has to be renewed. */
  record RenewLease() implements SupervisorMessage {}

  /** A command of an author about a steer that the agent does not have yet. */
  sealed interface SteerCommand {
    record Withdraw(String reason) implements SteerCommand {}

    record Edit(SteerText text) implements SteerCommand {}

    record Promote() implements SteerCommand {}

    /** The change of the steer that carries this command out. */
    default SteerChange change(Instant now) {
      return switch (this) {
        case Withdraw(String reason) -> new SteerChange.Withdrawn(now, reason);
        case Edit(SteerText text) -> new SteerChange.Edited(text, now);
        case Promote() -> new SteerChange.Promoted(now);
      };
    }
  }
}
