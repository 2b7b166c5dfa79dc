package dev.midcourse.agents.opencode;

import static dev.midcourse.core.agent.Capability.ACCEPTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.ASKS_PERMISSION;
import static dev.midcourse.core.agent.Capability.BARRIER;
import static dev.midcourse.core.agent.Capability.IGNORES_REPEATED_ID;
import static dev.midcourse.core.agent.Capability.INJECTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.INTERRUPT;
import static dev.midcourse.core.agent.Capability.INTERRUPT_ENDS_TOOLS;
import static dev.midcourse.core.agent.Capability.KEEPS_PENDING_ON_INTERRUPT;
import static dev.midcourse.core.agent.Capability.MID_TURN_STEER;
import static dev.midcourse.core.agent.Capability.RESUME;

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of OpenCode can do, as far as it was measured. */
final class OpenCodeVersion {

  /** The first one known to keep a log of a session and to know a message by the id we gave it. */
  static final String KEEPS_A_LOG = "1.18.33";

  private static final Capabilities OLDER =
      Capabilities.of(
          INTERRUPT,
          INTERRUPT_ENDS_TOOLS,
          KEEPS_PENDING_ON_INTERRUPT,
          RESUME,
          BARRIER,
          ASKS_PERMISSION);

  private static final Capabilities CURRENT =
      OLDER.with(MID_TURN_STEER, ACCEPTED_EVIDENCE, INJECTED_EVIDENCE, IGNORES_REPEATED_ID);

  private OpenCodeVersion() {}

  /**
   * What it holds it keeps, over an interrupt and over its own death. It counts tokens, and no cost
   * comes with them. What it may do is written in its own settings and cannot be given with a call.
   */
  static Capabilities can(Version version) {
    return version.atLeast(KEEPS_A_LOG) ? CURRENT : OLDER;
  }
}
