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

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of Claude Code can do, as far as it was measured. */
final class ClaudeVersion {

  /** The first one known to tell of every message whether it is queued, started or done. */
  static final String TELLS_OF_MESSAGES = "2.1.325";

  /** The word by which a later one says that it still does. */
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

  static boolean tellsOfMessages(Version version) {
    return version.atLeast(TELLS_OF_MESSAGES);
  }

  /**
   * Older ones show a message when it is in the conversation and say nothing before; and what they
   * make of a message that is sent twice was not measured.
   */
  static Capabilities can(Version version) {
    return tellsOfMessages(version) ? CURRENT : OLDER;
  }
}
