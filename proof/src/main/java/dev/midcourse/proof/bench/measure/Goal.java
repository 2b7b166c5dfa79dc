package dev.midcourse.proof.bench.measure;

/**
 * The upper limits for a figure, in the unit of the figure.
 *
 * @param usual for the one value, or for the median of many
 * @param worst for the 99th percentile of many
 */
public record Goal(double usual, double worst) {
  /** No goal: the figure is measured for information. */
  public static final Goal NONE = new Goal(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /**
   * Returns the goal from the request to the agent's input for a busy hub; a single run has none.
   */
  public static Goal ofSteer(int busy) {
    return busy == 1 ? NONE : new Goal(2, 15);
  }

  /** The reason why a single run has no goal. */
  public static final String WHY_NONE_FOR_ONE =
      "The goal is for a hub at work. With one run both cores and the disk sleep between two steers,"
          + " and each of the five wakings and the sync itself take longer than under load.";

  public static Goal most(double usual) {
    return new Goal(usual, Double.POSITIVE_INFINITY);
  }

  boolean isSet() {
    return !equals(NONE);
  }

  boolean met(Samples samples) {
    return samples.millis(0.5) <= usual && samples.millis(0.99) <= worst;
  }

  boolean met(double value) {
    return value <= usual;
  }

  /** Returns the goal as text beside figures; empty if there is none. */
  String words() {
    if (!isSet()) {
      return "";
    }
    String first = "≤ " + Report.number(usual);
    return Double.isInfinite(worst) ? first : first + ", p99 ≤ " + Report.number(worst);
  }
}
