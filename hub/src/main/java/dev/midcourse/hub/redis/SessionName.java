package dev.midcourse.hub.redis;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a session in the keys of Redis: the id of a run, the id of an agent's session, or
 * {@code tg_PROJECT_CHAT_MESSAGE}. It has at most 80 characters, because it is part of the
 * idempotency key of each steer.
 */
record SessionName(String value) {
  private static final String PREFIX = "steering:";
  private static final String PROCESSING = "processing:";
  private static final String REJECTED = "rejected";
  private static final String WAKE = "wake";
  private static final int MAX_LENGTH = 80;
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");
  private static final String RULE =
      "1 to 80 letters, digits, '.', '_', ':' or '-', starting with a letter or digit, without '..'";

  /** The list of entries that were refused. */
  static final String REJECTED_KEY = PREFIX + REJECTED;

  /** The list of the names of sessions that have new entries, for servers without notifications. */
  static final String WAKE_KEY = PREFIX + WAKE;

  /** The pattern of all keys of lists. */
  static final String ALL_KEYS = PREFIX + "*";

  /** The name in the key of a list, of new entries or of entries in processing. */
  static Optional<SessionName> ofKey(String key) {
    if (!key.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String name = key.substring(PREFIX.length());
    if (name.startsWith(PROCESSING)) {
      name = name.substring(PROCESSING.length());
    }
    return name.isEmpty() || name.equals(REJECTED) || name.equals(WAKE)
        ? Optional.empty()
        : Optional.of(new SessionName(name));
  }

  /** The list to which programs push. */
  String inboxKey() {
    return PREFIX + value;
  }

  /** The list of entries that the hub has taken and not stored yet. */
  String processingKey() {
    return PREFIX + PROCESSING + value;
  }

  /** The stream of receipts. */
  String receiptsKey() {
    return "receipts:" + value;
  }

  /** Why no run can have this name. */
  Optional<Problem> problem() {
    boolean sound =
        value.length() <= MAX_LENGTH && SHAPE.matcher(value).matches() && !value.contains("..");
    return sound
        ? Optional.empty()
        : Optional.of(
            Problem.invalid(
                "session_id",
                RULE,
                "session_id must be " + RULE + "; got " + WireNames.shown(value)));
  }

  @Override
  public String toString() {
    return value;
  }
}
