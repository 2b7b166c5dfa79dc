package dev.midcourse.proof.crash.hub;

import java.util.Locale;
import java.util.stream.Stream;

/** Points in the processing of a steer and its run at which a hub of a drill can end. */
public enum FaultPoint {
  /** An interface has received a steer that is not stored yet. */
  BEFORE_STEER_IS_STORED,
  /** In the transaction that stores the steer. */
  WHILE_STEER_IS_STORED,
  /** The steer is durable; neither the interface nor the supervisor knows it. */
  AFTER_STEER_IS_STORED,
  /** The supervisor is about to write the steer to the agent. */
  BEFORE_STEER_IS_WRITTEN,
  /** The agent may have the steer; that is not stored. */
  AFTER_STEER_IS_WRITTEN,
  /** Output of the agent is read; neither the output nor the offset is stored. */
  ON_AGENT_EVENTS,
  /** In the transaction that stores a rung and the offset of its evidence. */
  WHILE_RUNG_IS_KEPT,
  /** The rung is durable; the supervisor does not know it. */
  AFTER_RUNG_IS_KEPT,
  /** A turn is about to be opened, perhaps with steers that the last turn could not take. */
  WHILE_TURN_IS_OPENED,
  /** The opening of the turn is durable and not written to the agent. */
  BEFORE_OPENING_IS_WRITTEN,
  /** The agent may have the opening; that is not stored. */
  AFTER_OPENING_IS_WRITTEN,
  BEFORE_INTERRUPT_IS_WRITTEN,
  /** The agent was asked to interrupt the turn; that is not stored. */
  AFTER_INTERRUPT_IS_WRITTEN,
  /** In the transaction that stores that a steer was carried over the end of its turn. */
  WHILE_STEER_IS_CARRIED,
  /** In the transaction that ends a steer. */
  WHILE_STEER_IS_ENDED,
  /** In the transaction that stores that the agent waits for the next message. */
  WHILE_IDLE_IS_STORED,
  /** The agent waits for the next message; its supervisor does not know that this is stored. */
  AFTER_IDLE_IS_STORED,
  /** In the transaction that ends the run. */
  WHILE_RUN_IS_ENDED,
  /** In the transaction that stores a stop request. */
  WHILE_STOP_IS_ASKED,
  /** The stop request is durable; the supervisor does not know it. */
  AFTER_STOP_IS_ASKED,
  /** No process of the run that must stop has been signalled. */
  BEFORE_STOPPED_AGENT_IS_ENDED,
  /** All processes of the run have ended; the ledger still has it as running. */
  AFTER_STOPPED_AGENT_IS_ENDED,
  /** The run has ended in the ledger; its agent is alive. */
  BEFORE_AGENT_IS_ENDED,
  /** The agent has ended; the ledger does not have that. */
  AFTER_AGENT_IS_ENDED,
  /** An agent is running that the ledger does not have. */
  AFTER_AGENT_IS_STARTED,
  /** The next hub has found the agent and has not read its output. */
  AFTER_AGENT_IS_FOUND,
  /** The next hub has asked the agent whether it has read everything that was written before. */
  AFTER_BARRIER_IS_WRITTEN;

  /** Returns whether the point is in the ledger. These points differ between stores. */
  public boolean isInLedger() {
    return name().startsWith("WHILE")
        || Stream.of("STORED", "KEPT", "ASKED").anyMatch(name()::endsWith);
  }

  /**
   * Returns the maximum count at which a hub may end at this point, because hubs reach some points
   * rarely.
   */
  public int maxTimes() {
    boolean few = Stream.of("BARRIER", "INTERRUPT", "STOP").anyMatch(name()::contains);
    return few ? 1 : 3;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static FaultPoint of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
