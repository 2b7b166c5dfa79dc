package dev.midcourse.agents.opencode;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.id.SteerId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The ids of an attempt in OpenCode, all derived from the attempt alone. The next hub derives the
 * same ids, so the server recognizes a repeated request and ignores it.
 *
 * @param session the conversation
 * @param prompts the prefix of the ids of opening messages
 * @param password the password of the server, which keeps out other processes on this machine
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

  /** Returns the steer of this message; empty if the message is not a steer. */
  Optional<SteerId> steerOf(String message) {
    return message.startsWith(MESSAGE) && message.length() == MESSAGE.length() + 36
        ? Optional.of(SteerId.of(message.substring(MESSAGE.length())))
        : Optional.empty();
  }
}
