package dev.midcourse.core;

/**
 * The reason for a refusal: a code for programs, a message for people, the field with the wrong
 * value and the rule that the value breaks.
 */
public record Problem(Code code, String field, String rule, String message) {

  /**
   * The kinds of refusal. Each interface maps a code to its own form, such as an HTTP status or an
   * exit code.
   */
  public enum Code {
    /** The input breaks a rule of its field. */
    INVALID,
    /** The input is larger than its field may be. */
    TOO_LARGE,
    /** No object has this id. */
    NOT_FOUND,
    /** The caller may not do this. */
    FORBIDDEN,
    /** The idempotency key was used before with other content. */
    KEY_CONFLICT,
    /** The caller expected another turn than the one that runs. */
    WRONG_TURN,
    /** The run id belongs to a run that is live or ended successfully. */
    DUPLICATE,
    /** The run has ended, so a steer cannot reach it. */
    RUN_ENDED,
    /** The steer has passed the point where this was possible. */
    TOO_LATE,
    /** The agent cannot do this, and the caller chose to fail instead of a weaker delivery. */
    UNSUPPORTED,
    /** Too many of these are open or waiting. */
    LIMIT,
    /** The store cannot write, or the agent does not read, at the moment. Nothing was changed. */
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

  /** Returns an exception that carries this problem, for code that cannot return the problem. */
  public RefusedException refused() {
    return new RefusedException(this);
  }
}
