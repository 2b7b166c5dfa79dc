package dev.midcourse.cli.format;

/** What was spent, for a list. */
public final class CostText {
  private CostText() {}

  /** Blank for nothing, and never a zero for what was something. */
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

  /** A count with its thousands apart. */
  public static String count(long number) {
    StringBuilder out = new StringBuilder(Long.toString(number));
    for (int i = out.length() - 3; i > (number < 0 ? 1 : 0); i -= 3) {
      out.insert(i, ',');
    }
    return out.toString();
  }
}
