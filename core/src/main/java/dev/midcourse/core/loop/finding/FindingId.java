package dev.midcourse.core.loop.finding;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.regex.Pattern;

/** The id of a finding within its loop: {@code F} and a number. */
public record FindingId(int number) implements Comparable<FindingId> {
  private static final Pattern SHAPE = Pattern.compile("[Ff]([1-9][0-9]{0,5})");
  private static final String RULE = "F and a number, such as F12";

  public static FindingId of(String text) {
    var shape = SHAPE.matcher(text.strip());
    if (!shape.matches()) {
      throw Problem.invalid(
              "finding", RULE, "finding must be " + RULE + "; got " + WireNames.shown(text))
          .refused();
    }
    return new FindingId(Integer.parseInt(shape.group(1)));
  }

  @Override
  public int compareTo(FindingId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "F" + number;
  }
}
