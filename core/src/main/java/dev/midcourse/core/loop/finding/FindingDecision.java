package dev.midcourse.core.loop.finding;

import dev.midcourse.core.WireNames;

/** What a person decides about a finding. */
public enum FindingDecision {
  /** It is taken out: the fixer does not get it, and it does not hold the loop. */
  DROP,
  /** It stands, whatever the fixer says. */
  UPHOLD,
  /** It stands as a matter of taste and does not hold the loop. */
  NIT;

  public String wire() {
    return WireNames.name(this);
  }

  public static FindingDecision parse(String text) {
    return WireNames.parse(FindingDecision.class, "decision", text);
  }
}
