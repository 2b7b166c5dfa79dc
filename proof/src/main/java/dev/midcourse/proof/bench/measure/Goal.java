package dev.midcourse.proof.bench.measure;

/**
 * The upper limits for a figure, in the unit of the figure.
 *
 * @param typical for the one value, or for the median of many
 * @param worst for the 99th percentile of many
 */
public record Goal(double typical, double worst) {
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
      "The goal is for a hub under load. With one run the cores and the disk are idle"
          + " between two steers, so each of the five wake-ups and the sync take longer than"
          + " under load.";

  public static Goal most(double typical) {
    return new Goal(typical, Double.POSITIVE_INFINITY);
  }

  boolean isSet() {
    return !equals(NONE);
  }

  boolean met(Samples samples) {
    return samples.millis(0.5) <= typical && samples.millis(0.99) <= worst;
  }

  boolean met(double value) {
    return value <= typical;
  }

  /** Returns the goal as text beside figures; empty if there is none. */
  String words() {
    if (!isSet()) {
      return "";
    }
    String first = "≤ " + Report.number(typical);
    return Double.isInfinite(worst) ? first : first + ", p99 ≤ " + Report.number(worst);
  }
}
