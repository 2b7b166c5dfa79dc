package dev.midcourse.core;

/**
 * Why something was refused, in words for whoever asked: a code for programs, a sentence for
 * people, the field that is at fault and the rule it broke.
 */
public record Problem(Code code, String field, String rule, String message) {

  /**
   * The kinds of refusal; a door translates each to its own tongue (an HTTP status, an exit code).
   */
  public enum Code {
    /** The input breaks a rule of its field. */
    INVALID,
    /** The input is larger than its field may be. */
    TOO_LARGE,
    /** Nothing has this id. */
    NOT_FOUND,
    /** The asker may not do this. */
    FORBIDDEN,
    /** The idempotency key was used before with other content. */
    KEY_CONFLICT,
    /** The caller expected another turn than the one that runs. */
    WRONG_TURN,
    /** The run id is taken by a run that is live or ended well. */
    DUPLICATE,
    /** The run has ended; a steer cannot reach it. */
    RUN_ENDED,
    /** The steer is past the point where this could be done. */
    TOO_LATE,
    /** The agent cannot do this, and the caller asked to fail rather than degrade. */
    UNSUPPORTED,
    /** Too many of these are open or waiting. */
    LIMIT,
    /** The store cannot write, or the agent does not read, just now; nothing was changed. */
    UNAVAILABLE;

    public String wire() {
      return WireNames.name(this);
    }
  }

  public static Problem of(Code code, String field, String rule, String message) {
    return new Problem(code, field, rule, message);
  }

  public static Problem invalid(String field, String rule, String message) {
    return new Problem(Code.INVALID, field, rule, message);
  }

  /** For code that has nothing better to return: throws this problem to the door. */
  public RefusedException refused() {
    return new RefusedException(this);
  }
}
