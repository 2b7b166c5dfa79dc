package dev.midcourse.proof.bench.measure;

/**
 * What a figure should not exceed, in the figure's own unit.
 *
 * @param usual for the one value, or for the median of many
 * @param worst for the 99th percentile of many
 */
public record Goal(double usual, double worst) {
  /** Measured to know it. */
  public static final Goal NONE = new Goal(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** From the request to the agent's input, for a hub at work; a single run has none. */
  public static Goal ofSteer(int busy) {
    return busy == 1 ? NONE : new Goal(2, 15);
  }

  /** Why a single run has none. */
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

  /** As it is printed beside figures; empty when there is none. */
  String words() {
    if (!isSet()) {
      return "";
    }
    String first = "≤ " + Report.number(usual);
    return Double.isInfinite(worst) ? first : first + ", p99 ≤ " + Report.number(worst);
  }
}
