package dev.midcourse.proof.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How text is streamed: so many characters at a time, with a pause between the pieces. */
public record Pace(int chunk, Duration pause) {

  /** The whole text in one piece. */
  public static final Pace AT_ONCE = new Pace(Integer.MAX_VALUE, Duration.ZERO);

  public Pace {
    if (chunk < 1 || pause.isNegative()) {
      throw new IllegalArgumentException("a pace has pieces of at least one character");
    }
  }

  /** The text in pieces; together they are the text. */
  List<String> pieces(String text) {
    var pieces = new ArrayList<String>();
    for (int from = 0; from < text.length(); ) {
      int to = chunk > text.length() - from ? text.length() : from + chunk;
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++; // never between the halves of one character
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }
}
