package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;

/** How the rehearsal agent handles a repeated id. */
public enum DuplicatePolicy {
  /** Ignores a repeated id. */
  MINDFUL,

  /** Knows no ids and takes a repeated message again, as most real agents do. */
  FORGETFUL;

  /** The command line option that selects {@link #FORGETFUL}. */
  public static final String FORGETFUL_OPTION = "--forgetful";

  private static final Capabilities ALL_BUT_IDS =
      Capabilities.FULL.without(Capability.IGNORES_REPEATED_ID);

  public Capabilities can() {
    return switch (this) {
      case MINDFUL -> Capabilities.FULL;
      case FORGETFUL -> ALL_BUT_IDS;
    };
  }
}
