package dev.midcourse.agents.opencode;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.id.SteerId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The ids OpenCode knows an attempt's things by, all made of the order alone: the next hub makes
 * the same, so that whatever is sent again is known to the server, which ignores it.
 *
 * @param session the conversation
 * @param prompts what the ids of openings begin with
 * @param password without which any process on this machine could use the server
 */
record OpenCodeIds(String session, String prompts, String password) {
  private static final String MESSAGE = "msg_";

  static OpenCodeIds of(AttemptSpec spec) {
    String attempt = spec.run() + " " + spec.attempt() + " " + spec.mark();
    return new OpenCodeIds(
        spec.resume().map(Object::toString).orElseGet(() -> "ses_" + named("session", attempt)),
        MESSAGE + "prompt" + named("prompts", attempt) + "_",
        spec.mark());
  }

  private static String named(String what, String attempt) {
    byte[] name = (what + " of " + attempt).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString().replace("-", "");
  }

  String opening(int turn) {
    return prompts + turn;
  }

  /** The turn that this message opens, if it is an opening of this attempt. */
  OptionalInt turnOf(String message) {
    return message.startsWith(prompts)
        ? OptionalInt.of(Integer.parseInt(message.substring(prompts.length())))
        : OptionalInt.empty();
  }

  String message(SteerId steer) {
    return MESSAGE + steer.value();
  }

  /** The steer that this message is, if it is one. */
  Optional<SteerId> steerOf(String message) {
    return message.startsWith(MESSAGE) && message.length() == MESSAGE.length() + 36
        ? Optional.of(SteerId.of(message.substring(MESSAGE.length())))
        : Optional.empty();
  }
}
