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

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.core.agent.Capabilities;

/** The measured capabilities of each version of OpenCode. */
final class OpenCodeVersion {

  /**
   * The first version that is known to keep a log of a session and to use the message ids that
   * Midcourse assigns.
   */
  static final String MIN_LOG_VERSION = "1.18.33";

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
   * OpenCode keeps the messages that it holds over an interrupt and over its own exit. It reports
   * tokens without cost. Its permissions are in its own settings and cannot be given with a call.
   */
  static Capabilities can(ProgramVersion version) {
    return version.atLeast(MIN_LOG_VERSION) ? CURRENT : OLDER;
  }
}
