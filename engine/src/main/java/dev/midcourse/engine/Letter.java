package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Heard;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerText;
import java.util.concurrent.CompletableFuture;

/** What reaches a supervisor. Everything about its run comes through this one slot, in order. */
public sealed interface Letter {
  /** The agent of this attempt said something. */
  record FromAgent(int attempt, Heard heard) implements Letter {}

  /** A steer was stored. */
  record Stored(Steer steer) implements Letter {}

  /** The log tells of a steer; it may have been stored on another host, and no door brings it. */
  record SteerTold(SteerId steer) implements Letter {}

  /** The log tells of a stop; the ledger knows whether it is still to be done. */
  record StopTold() implements Letter {}

  /** An author wants something done about a pending steer. */
  record About(SteerId steer, Wish wish, CompletableFuture<Steer> answer) implements Letter {}

  /** A person answers what the agent asked. */
  record Reply(String ask, Agent.Answer answer, Author by, CompletableFuture<Void> done)
      implements Letter {}

  /** A stop was asked for and is in the ledger. */
  record Stop() implements Letter {}

  /** What was handed to the ledger did not get there. */
  record NotKept(RuntimeException why) implements Letter {}

  /** The hub goes down; leave the agent running. */
  record Leave() implements Letter {}

  /** Look whether the lease has to be renewed. */
  record Look() implements Letter {}

  /** What an author may want of a steer that the agent does not have yet. */
  sealed interface Wish {
    record Withdraw(String reason) implements Wish {}

    record Edit(SteerText text) implements Wish {}

    record Promote() implements Wish {}
  }
}
