package dev.midcourse.agents.pi;

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of pi can do, as far as it was measured. */
final class PiVersion {

  /** The first one known to empty its queue when asked and to say when it has settled. */
  static final String GIVES_BACK = "0.87.1";

  private PiVersion() {}

  static boolean givesBack(Version version) {
    return version.atLeast(GIVES_BACK);
  }

  /**
   * A message that is sent twice is two messages. Older ones keep what they hold when they are
   * interrupted and show it with the next prompt.
   */
  static Capabilities can(Version version) {
    boolean givesBack = givesBack(version);
    return new Capabilities(
        true,
        true,
        true,
        false,
        true,
        true,
        !givesBack,
        givesBack,
        true,
        true,
        true,
        givesBack,
        false);
  }
}
