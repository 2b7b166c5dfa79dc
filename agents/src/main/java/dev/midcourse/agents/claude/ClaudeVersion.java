package dev.midcourse.agents.claude;

import dev.midcourse.agents.program.Version;
import dev.midcourse.core.agent.Capabilities;

/** What each version of Claude Code can do, as far as it was measured. */
final class ClaudeVersion {

  /** The first one known to tell of every message whether it is queued, started or done. */
  static final String TELLS_OF_MESSAGES = "2.1.325";

  /** The word by which a later one says that it still does. */
  static final String MESSAGE_LIFECYCLE = "msg_lifecycle_v1";

  private ClaudeVersion() {}

  static boolean tellsOfMessages(Version version) {
    return version.atLeast(TELLS_OF_MESSAGES);
  }

  /**
   * Older ones show a message when it is in the conversation and say nothing before; and what they
   * make of a message that is sent twice was not measured.
   */
  static Capabilities can(Version version) {
    boolean tells = tellsOfMessages(version);
    return new Capabilities(
        true, tells, true, tells, true, true, true, tells, true, true, true, true, true);
  }
}
