package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;

/** What the rehearsal agent makes of an id that it has had before. */
public enum DuplicatePolicy {
  /** Nothing: what it has had has no second effect. */
  MINDFUL,

  /** It knows no ids: what comes again is taken again, as by most real agents. */
  FORGETFUL;

  /** The word on the command line that makes the program forgetful. */
  public static final String FORGETFUL_WORD = "--forgetful";

  private static final Capabilities ALL_BUT_IDS =
      Capabilities.FULL.without(Capability.IGNORES_REPEATED_ID);

  public Capabilities can() {
    return switch (this) {
      case MINDFUL -> Capabilities.FULL;
      case FORGETFUL -> ALL_BUT_IDS;
    };
  }
}
