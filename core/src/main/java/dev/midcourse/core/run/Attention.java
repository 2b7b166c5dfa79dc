package dev.midcourse.core.run;

/** Which need of a run a person should look at first. */
public final class Attention {
  private Attention() {}

  /** The lower, the more urgent: an agent that waits for an answer does nothing else. */
  public static int rank(String needs) {
    if (needs.startsWith("asks")) {
      return 0;
    }
    return switch (needs) {
      case "review" -> 1;
      case "quiet" -> 2;
      case "failed contract" -> 3;
      case "timed out" -> 4;
      case "failed" -> 5;
      default -> 6;
    };
  }
}
