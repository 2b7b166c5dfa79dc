package dev.midcourse.core.loop.finding;

/** The answer of the fixer to one finding that it was given. */
public record FindingAnswer(FindingId finding, Kind kind, String why) {

  /** What the fixer says. */
  public enum Kind {
    FIXED(FindingState.FIXED),
    DISPUTED(FindingState.DISPUTED),
    DEFERRED(FindingState.DEFERRED),
    UNCLEAR(FindingState.UNCLEAR);

    private final FindingState state;

    Kind(FindingState state) {
      this.state = state;
    }

    FindingState state() {
      return state;
    }

    /** Whether the answer says nothing without a reason. */
    boolean needsReason() {
      return this != FIXED;
    }
  }

  /** Whether it says something: an empty decline is no answer. */
  boolean isSound() {
    return !kind.needsReason() || !why.isBlank();
  }
}
