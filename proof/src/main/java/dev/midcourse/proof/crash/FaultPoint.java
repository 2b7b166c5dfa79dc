package dev.midcourse.proof.crash;

import java.util.Locale;
import java.util.stream.Stream;

/** The places on the way of a steer, and of its run, at which a hub of the drill can end. */
public enum FaultPoint {
  /** A door has a steer that nobody has kept yet. */
  BEFORE_STEER_IS_STORED,
  /** In the transaction that stores it. */
  WHILE_STEER_IS_STORED,
  /** It is durable; neither the door nor the supervisor knows. */
  AFTER_STEER_IS_STORED,
  /** The supervisor is about to write it to the agent. */
  BEFORE_STEER_IS_WRITTEN,
  /** The agent may have it; nobody has kept that. */
  AFTER_STEER_IS_WRITTEN,
  /** The agent's words are read; neither they nor the offset are kept. */
  WHEN_AGENT_IS_HEARD,
  /** In the transaction that keeps a rung and the offset of its evidence. */
  WHILE_RUNG_IS_KEPT,
  /** That is durable; whoever handed it in does not know. */
  AFTER_RUNG_IS_KEPT,
  /** A turn is to be opened, maybe with steers that the last one had no room for. */
  WHILE_TURN_IS_OPENED,
  /** The opening is durable and not written. */
  BEFORE_OPENING_IS_WRITTEN,
  /** The agent may have the opening; nobody has kept that. */
  AFTER_OPENING_IS_WRITTEN,
  BEFORE_INTERRUPT_IS_WRITTEN,
  /** The turn is told to break off; nobody has kept that. */
  AFTER_INTERRUPT_IS_WRITTEN,
  /** In the transaction that keeps that a steer was carried over the end of its turn. */
  WHILE_STEER_IS_CARRIED,
  /** In the transaction that gives a steer its end. */
  WHILE_STEER_IS_ENDED,
  /** In the transaction that ends the run. */
  WHILE_RUN_IS_ENDED,
  /** In the transaction that keeps that a run is to stop. */
  WHILE_STOP_IS_ASKED,
  /** That is durable; the supervisor does not know. */
  AFTER_STOP_IS_ASKED,
  /** Nothing of the run that is to stop has been touched. */
  BEFORE_STOPPED_AGENT_IS_ENDED,
  /** All of it is gone; the ledger says that it runs. */
  AFTER_STOPPED_AGENT_IS_ENDED,
  /** The run has ended in the ledger; its agent is alive. */
  BEFORE_AGENT_IS_ENDED,
  /** The agent is gone; the ledger does not know. */
  AFTER_AGENT_IS_ENDED,
  /** An agent is running that nobody has heard of. */
  AFTER_AGENT_IS_STARTED,
  /** The next hub has found the agent and has read nothing. */
  AFTER_AGENT_IS_FOUND,
  /** The next hub has asked whether everything written before was read. */
  AFTER_BARRIER_IS_WRITTEN;

  /** Whether the store has a part in it: these are the points that differ from store to store. */
  boolean atTheLedger() {
    return name().startsWith("WHILE")
        || Stream.of("STORED", "KEPT", "ASKED").anyMatch(name()::endsWith);
  }

  /** Up to which time that a hub comes there it can be made to end: to some points few do. */
  int mostTimes() {
    boolean few = Stream.of("BARRIER", "INTERRUPT", "STOP").anyMatch(name()::contains);
    return few ? 1 : 3;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static FaultPoint of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
