package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** A stage of delivery that is proved. Each rung needs evidence of its own. */
public enum Rung {
  /** Committed to the ledger. */
  STORED,
  /** Written to the agent, which has not reacted yet. */
  OFFERED,
  /** The agent says that it holds the steer. */
  ACCEPTED,
  /** The agent shows the steer in the conversation. */
  INJECTED,
  /** The steer was in a request to the model. */
  SEEN,
  /** The turn that contained the steer has ended. */
  ANSWERED;

  public String wire() {
    return WireNames.name(this);
  }

  public static Rung parse(String text) {
    return WireNames.parse(Rung.class, "rung", text);
  }
}
