package dev.midcourse.core.agent;

/**
 * One ability or one kind of evidence of an agent. JSON shows each constant by its lower-case name.
 */
public enum Capability {
  /** The agent takes a message into the running turn. */
  MID_TURN_STEER,

  /** The agent reports that it has received a message and holds it. */
  ACCEPTED_EVIDENCE,

  /** The agent shows when a message is in the conversation. */
  INJECTED_EVIDENCE,

  /** A message that is sent again with the same id has no second effect. */
  IGNORES_REPEATED_ID,

  /** The agent can end its turn on request and continues to run. */
  INTERRUPT,

  /** After an interrupt, no tool of the interrupted turn is running. */
  INTERRUPT_ENDS_TOOLS,

  /** The agent still delivers the messages that it held before an interrupt. */
  KEEPS_PENDING_ON_INTERRUPT,

  /** The agent can return a message that it holds and has not used. */
  WITHDRAW,

  /** A new process can continue the session. */
  RESUME,

  /** The agent answers a request whose answer proves that it has read all earlier input. */
  BARRIER,

  /** The agent reports its cost. */
  REPORTS_COST,

  /** The use of named tools can be forbidden. */
  BLOCKS_TOOLS,

  /** The agent asks before an action that it may not do by itself. */
  ASKS_PERMISSION
}
