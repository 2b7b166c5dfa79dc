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

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of Codex can do, as far as it was measured. */
final class CodexVersion {

  /** The first one known to show every message of ours under the id we gave it. */
  static final String SHOWS_OUR_IDS = "0.166.0";

  private static final Capabilities OLDER =
      Capabilities.of(INTERRUPT, RESUME, BLOCKS_TOOLS, ASKS_PERMISSION);

  private static final Capabilities CURRENT =
      OLDER.with(
          MID_TURN_STEER, ACCEPTED_EVIDENCE, INJECTED_EVIDENCE, INTERRUPT_ENDS_TOOLS, BARRIER);

  private CodexVersion() {}

  /**
   * Of older ones nothing was measured: they are given no message in a turn. A message that is sent
   * twice is two messages, and what it holds when it is interrupted it drops. It counts tokens and
   * knows no prices.
   */
  static Capabilities can(Version version) {
    return version.atLeast(SHOWS_OUR_IDS) ? CURRENT : OLDER;
  }
}
