package dev.midcourse.agents.codex;

import static dev.midcourse.core.agent.Capability.ACCEPTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.ASKS_PERMISSION;
import static dev.midcourse.core.agent.Capability.BARRIER;
import static dev.midcourse.core.agent.Capability.BLOCKS_TOOLS;
import static dev.midcourse.core.agent.Capability.INJECTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.INTERRUPT;
import static dev.midcourse.core.agent.Capability.INTERRUPT_ENDS_TOOLS;
import static dev.midcourse.core.agent.Capability.MID_TURN_STEER;
import static dev.midcourse.core.agent.Capability.RESUME;

import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.core.agent.Capabilities;

/** The measured capabilities of each version of Codex. */
final class CodexVersion {

  /** The first version that is known to show every message under the id that Midcourse assigned. */
  static final String SHOWS_OUR_IDS = "0.166.0";

  private static final Capabilities OLDER =
      Capabilities.of(INTERRUPT, RESUME, BLOCKS_TOOLS, ASKS_PERMISSION);

  private static final Capabilities CURRENT =
      OLDER.with(
          MID_TURN_STEER, ACCEPTED_EVIDENCE, INJECTED_EVIDENCE, INTERRUPT_ENDS_TOOLS, BARRIER);

  private CodexVersion() {}

  /**
   * Older versions were not measured, so they get no message during a turn. Codex does not
   * recognize a repeated message, and drops the messages that it holds when it is interrupted.
   * Codex reports tokens and no cost.
   */
  static Capabilities can(ProgramVersion version) {
    return version.atLeast(SHOWS_OUR_IDS) ? CURRENT : OLDER;
  }
}
