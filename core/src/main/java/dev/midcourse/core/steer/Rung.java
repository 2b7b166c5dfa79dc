package dev.midcourse.core.steer;

import dev.midcourse.core.WireNames;

/** How far a steer provably got. Each rung is claimed on its own evidence or not at all. */
public enum Rung {
  /** Committed to the ledger. */
  STORED,
  /** Written to the agent; no word back yet. */
  OFFERED,
  /** The agent says that it holds it. */
  ACCEPTED,
  /** The agent shows it in the conversation. */
  INJECTED,
  /** It was in a model request, proved at the model's door. */
  SEEN,
  /** The turn that had it has ended. */
  ANSWERED;

  public String wire() {
    return WireNames.name(this);
  }

  public static Rung parse(String text) {
    return WireNames.parse(Rung.class, "rung", text);
  }
}
