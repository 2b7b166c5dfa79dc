package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerText;
import java.util.concurrent.CompletableFuture;

/** What reaches a supervisor. Everything about its run comes through this one slot, in order. */
public sealed interface SupervisorMessage {
  /** The agent of this attempt said something. */
  record AgentOutput(int attempt, AgentEventBatch batch) implements SupervisorMessage {}

  /** A steer was stored. */
  record SteerStored(Steer steer) implements SupervisorMessage {}

  /** The log tells of a steer; it may have been stored on another host, and no door brings it. */
  record SteerStoredElsewhere(SteerId steer) implements SupervisorMessage {}

  /** The log tells of a stop; the ledger knows whether it is still to be done. */
  record StopRequestedElsewhere() implements SupervisorMessage {}

  /** An author wants something done about a pending steer. */
  record ChangeSteer(SteerId steer, SteerCommand wish, CompletableFuture<Steer> answer)
      implements SupervisorMessage {}

  /** A person answers what the agent asked. */
  record Reply(String ask, Agent.QuestionAnswer answer, Author by, CompletableFuture<Void> done)
      implements SupervisorMessage {}

  /** A stop was asked for and is in the ledger. */
  record Stop() implements SupervisorMessage {}

  /** What was handed to the ledger did not get there. */
  record CommitFailed(RuntimeException why) implements SupervisorMessage {}

  /** The hub goes down; leave the agent running. */
  record Detach() implements SupervisorMessage {}

  /** Look whether the lease has to be renewed. */
  record RenewLease() implements SupervisorMessage {}

  /** What an author may want of a steer that the agent does not have yet. */
  sealed interface SteerCommand {
    record Withdraw(String reason) implements SteerCommand {}

    record Edit(SteerText text) implements SteerCommand {}

    record Promote() implements SteerCommand {}
  }
}
