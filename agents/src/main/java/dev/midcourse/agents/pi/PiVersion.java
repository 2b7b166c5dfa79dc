package dev.midcourse.agents.pi;

import static dev.midcourse.core.agent.Capability.ACCEPTED_EVIDENCE;
import static dev.midcourse.core.agent.Capability.BARRIER;
import static dev.midcourse.core.agent.Capability.BLOCKS_TOOLS;
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

/** The measured capabilities of each version of pi. */
final class PiVersion {

  /**
   * The first version that is known to empty its queue on request and to report when it has
   * settled.
   */
  static final String MIN_MEASURED_VERSION = "0.87.1";

  private static final Capabilities COMMON =
      Capabilities.of(
          MID_TURN_STEER,
          ACCEPTED_EVIDENCE,
          INJECTED_EVIDENCE,
          INTERRUPT,
          INTERRUPT_ENDS_TOOLS,
          RESUME,
          BARRIER,
          REPORTS_COST);

  private PiVersion() {}

  static boolean givesBack(ProgramVersion version) {
    return version.atLeast(MIN_MEASURED_VERSION);
  }

  /**
   * pi does not recognize a repeated message. Older versions keep the messages that they hold over
   * an interrupt and show them with the next prompt.
   */
  static Capabilities can(ProgramVersion version) {
    return givesBack(version)
        ? COMMON.with(WITHDRAW, BLOCKS_TOOLS)
        : COMMON.with(KEEPS_PENDING_ON_INTERRUPT);
  }
}
