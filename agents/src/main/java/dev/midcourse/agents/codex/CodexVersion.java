package dev.midcourse.agents.codex;

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of Codex can do, as far as it was measured. */
final class CodexVersion {

  /** The first one known to show every message of ours under the id we gave it. */
  static final String SHOWS_OUR_IDS = "0.166.0";

  private CodexVersion() {}

  /**
   * Of older ones nothing was measured: they are given no message in a turn. A message that is sent
   * twice is two messages, and what it holds when it is interrupted it drops. It counts tokens and
   * knows no prices.
   */
  static Capabilities can(Version version) {
    boolean shows = version.atLeast(SHOWS_OUR_IDS);
    return new Capabilities(
        shows, shows, shows, false, true, shows, false, false, true, shows, false, true, true);
  }
}
