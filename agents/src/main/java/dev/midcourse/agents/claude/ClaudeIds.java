package dev.midcourse.agents.claude;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.id.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The ids Claude Code knows an attempt's things by, all made of the order alone: the next hub makes
 * the same, so that whatever is sent again is known to the agent, which ignores it.
 *
 * @param base the turn's number is added to it
 */
record ClaudeIds(SessionId session, UUID base) {
  private static final long TURN_BITS = 0xFFFF_FFFFL;

  static ClaudeIds of(AttemptSpec spec) {
    String attempt = spec.run() + " " + spec.attempt() + " " + spec.mark();
    UUID prompts = named("prompts of " + attempt);
    SessionId session =
        spec.resume().orElseGet(() -> SessionId.of(named("session of " + attempt).toString()));
    return new ClaudeIds(
        session,
        new UUID(prompts.getMostSignificantBits(), prompts.getLeastSignificantBits() & ~TURN_BITS));
  }

  private static UUID named(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The id of a turn's opening message. */
  String opening(int turn) {
    return new UUID(base.getMostSignificantBits(), base.getLeastSignificantBits() | turn)
        .toString();
  }

  /** The turn that this message opens, if it is an opening of this attempt. */
  OptionalInt turnOf(String message) {
    int lastDash = message.lastIndexOf('-');
    String prefix = opening(0).substring(0, 28);
    if (lastDash < 0 || message.length() != 36 || !message.startsWith(prefix)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Integer.parseUnsignedInt(message.substring(28), 16));
  }
}
