package dev.midcourse.agents.opencode;

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of OpenCode can do, as far as it was measured. */
final class OpenCodeVersion {

  /** The first one known to keep a log of a session and to know a message by the id we gave it. */
  static final String KEEPS_A_LOG = "1.18.33";

  private OpenCodeVersion() {}

  /**
   * What it holds it keeps, over an interrupt and over its own death. It counts tokens, and no cost
   * comes with them. What it may do is written in its own settings and cannot be given with a call.
   */
  static Capabilities can(Version version) {
    boolean steers = version.atLeast(KEEPS_A_LOG);
    return new Capabilities(
        steers, steers, steers, steers, true, true, true, false, true, true, false, false, true);
  }
}
