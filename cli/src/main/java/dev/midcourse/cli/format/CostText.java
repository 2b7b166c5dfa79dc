package dev.midcourse.cli.format;

/** Formats costs and counts for lists. */
public final class CostText {
  private CostText() {}

  /**
   * Returns the amount in dollars; blank for zero, and {@code <$0.01} for less than half a cent.
   */
  public static String of(double dollars) {
    if (dollars <= 0) {
      return "";
    }
    long cents = Math.round(dollars * 100);
    if (cents == 0) {
      return "<$0.01";
    }
    return "$" + cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
  }

  /** Returns the number with commas between groups of three digits. */
  public static String count(long number) {
    StringBuilder out = new StringBuilder(Long.toString(number));
    for (int i = out.length() - 3; i > (number < 0 ? 1 : 0); i -= 3) {
      out.insert(i, ',');
    }
    return out.toString();
  }
}
