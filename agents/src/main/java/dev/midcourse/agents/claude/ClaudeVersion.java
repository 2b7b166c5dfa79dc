package dev.midcourse.agents.claude;

import static dev.midcourse.core.agent.Capability.ACCEPTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.ASKS_PERMISSION;
import static dev.midcourse.core.agent.Capability.BARRIER;
import static dev.midcourse.core.agent.Capability.BLOCKS_TOOLS;
import static dev.midcourse.core.agent.Capability.IGNORES_REPEATED_ID;
import static dev.midcourse.core.agent.Capability.INJECTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.INTERRUPT;
import static dev.midcourse.core.agent.Capability.INTERRUPT_ENDS_TOOLS;
import static dev.midcourse.core.agent.Capability.KEEPS_PENDING_ON_INTERRUPT;
import static dev.midcourse.core.agent.Capability.MID_TURN_STEER;
import static dev.midcourse.core.agent.Capability.REPORTS_COST;
import static dev.midcourse.core.agent.Capability.RESUME;
import static dev.midcourse.core.agent.Capability.WITHDRAW;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.core.agent.Capabilities;

/** The measured capabilities of each version of Claude Code. */
final class ClaudeVersion {

  /**
   * The first version that is known to report for every message whether it is queued, started or
   * done.
   */
  static final String MIN_LIFECYCLE_VERSION = "2.1.325";

  /** The capability by which a later version declares that it reports the states of messages. */
  static final String MESSAGE_LIFECYCLE = "msg_lifecycle_v1";

  private static final Capabilities OLDER =
      Capabilities.of(
          MID_TURN_STEER,
          INJECTED_EVIDENCE,
          INTERRUPT,
          INTERRUPT_ENDS_TOOLS,
          KEEPS_PENDING_ON_INTERRUPT,
          RESUME,
          BARRIER,
          REPORTS_COST,
          BLOCKS_TOOLS,
          ASKS_PERMISSION);

  private static final Capabilities CURRENT =
      OLDER.with(ACCEPTED_EVIDENCE, IGNORES_REPEATED_ID, WITHDRAW);

  private ClaudeVersion() {}

  static boolean reportsLifecycle(ProgramVersion version) {
    return version.atLeast(MIN_LIFECYCLE_VERSION);
  }

  /**
   * Older versions report a message only when it is in the conversation. How they treat a repeated
   * message was not measured.
   */
  static Capabilities can(ProgramVersion version) {
    return reportsLifecycle(version) ? CURRENT : OLDER;
  }
}
