package dev.midcourse.proof.bench.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results of one benchmark: printed at once, and kept for the document. */
public final class Report {
  /** One line of the results. */
  sealed interface Finding {
    /** The durations of an operation. */
    record Times(String what, Samples samples, Goal goal) implements Finding {}

    /** One number. */
    record Figure(String what, double value, String unit, Goal goal) implements Finding {}

    /** The results of the rounds of a measurement. */
    record Rounds(String what, String description) implements Finding {}

    /** A remark for readers of the figures. */
    record Note(String text) implements Finding {}
  }

  private final PrintStream out;
  private final List<Finding> findings = new ArrayList<>();

  public Report(PrintStream out) {
    this.out = out;
  }

  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  public void times(String what, Samples samples, Goal goal) {
    findings.add(new Finding.Times(what, samples, goal));
    out.printf(
        Locale.ROOT,
        "  %-44s p50 %8.2f ms   p90 %8.2f ms   p99 %8.2f ms   max %8.2f ms%s%n",
        what,
        samples.millis(0.5),
        samples.millis(0.9),
        samples.millis(0.99),
        samples.millis(1),
        verdict(goal, goal.met(samples)));
  }

  public void times(String what, Samples samples) {
    times(what, samples, Goal.NONE);
  }

  public void figure(String what, double value, String unit, Goal goal) {
    findings.add(new Finding.Figure(what, value, unit, goal));
    out.printf(
        "  %-44s %12s%s%n", what, number(value) + " " + unit, verdict(goal, goal.met(value)));
  }

  public void figure(String what, double value, String unit) {
    figure(what, value, unit, Goal.NONE);
  }

  /** Adds the results of all rounds. */
  public void rounds(String what, Pace.Kept<?> kept) {
    findings.add(new Finding.Rounds(what, kept.description()));
    out.println("  rounds of " + what + ": " + kept.description());
  }

  public void note(String text) {
    findings.add(new Finding.Note(text));
    out.println("  " + text);
  }

  static String verdict(Goal goal, boolean met) {
    return goal.isSet() ? "   " + goal.words() + (met ? ": met" : ": MISSED") : "";
  }

  /** Returns the value with its significant digits. */
  static String number(double value) {
    if (value == Math.rint(value) || value >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.3f", value);
  }
}
