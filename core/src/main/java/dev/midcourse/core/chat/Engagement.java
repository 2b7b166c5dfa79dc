package dev.midcourse.core.chat;

import java.util.Optional;

/**
 * When a worker engages with a message.
 *
 * @param pattern present exactly for {@link EngageMode#PATTERN}
 */
public record Engagement(EngageMode mode, Optional<EngagePattern> pattern) {
  public Engagement {
    if ((mode == EngageMode.PATTERN) != pattern.isPresent()) {
      throw dev.midcourse.core.Problem.invalid(
              "engage_pattern",
              "present exactly for engage_mode pattern",
              "engage_mode "
                  + mode.wire()
                  + (pattern.isPresent() ? " takes no" : " needs an")
                  + " engage_pattern")
          .refused();
    }
  }

  /** Engages with every message. */
  public static Engagement always() {
    return new Engagement(EngageMode.PATTERN, Optional.of(EngagePattern.ALWAYS));
  }

  /** The default for a new wiring of this chat. */
  public static Engagement defaultFor(ChatKind kind, boolean threads) {
    return switch (kind) {
      case DIRECT -> always();
      case GROUP ->
          new Engagement(
              threads ? EngageMode.MENTION_STICKY : EngageMode.MENTION, Optional.empty());
    };
  }
}
