package dev.midcourse.core.agent;

/**
 * What one agent at one version can do and prove. Measured, not hoped for: the plan of a steer and
 * the honesty of its receipt rest on it.
 *
 * @param midTurnSteer takes a message into the running turn
 * @param acceptedEvidence says when it holds a message
 * @param injectedEvidence shows when a message is in the conversation
 * @param ignoresRepeatedId the same message id sent again has no second effect
 * @param interrupt can end its turn and live on
 * @param interruptEndsTools a running tool is gone after an interrupt
 * @param keepsPendingOnInterrupt messages it held before an interrupt are still delivered
 * @param withdraw can give back a message it holds
 * @param resume can go on with its session in a new process
 * @param barrier can be asked something whose answer proves that all earlier input was read
 * @param reportsCost says what it spent
 * @param blocksTools can be kept from named tools
 * @param asksPermission asks before what it may not do by itself
 */
public record Capabilities(
    boolean midTurnSteer,
    boolean acceptedEvidence,
    boolean injectedEvidence,
    boolean ignoresRepeatedId,
    boolean interrupt,
    boolean interruptEndsTools,
    boolean keepsPendingOnInterrupt,
    boolean withdraw,
    boolean resume,
    boolean barrier,
    boolean reportsCost,
    boolean blocksTools,
    boolean asksPermission) {

  /** Everything: what the rehearsal agent can do. */
  public static final Capabilities FULL =
      new Capabilities(
          true, true, true, true, true, true, true, true, true, true, true, true, true);

  /** Nothing but taking one prompt per call. */
  public static final Capabilities NONE =
      new Capabilities(
          false, false, false, false, false, false, false, false, false, false, false, false,
          false);
}
