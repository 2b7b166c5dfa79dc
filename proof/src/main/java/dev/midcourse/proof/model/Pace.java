package dev.midcourse.proof.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The speed of streamed text: characters per piece, and the pause between pieces. */
public record Pace(int chunk, Duration pause) {

  /** The complete text in one piece. */
  public static final Pace AT_ONCE = new Pace(Integer.MAX_VALUE, Duration.ZERO);

  public Pace {
    if (chunk < 1 || pause.isNegative()) {
      throw new IllegalArgumentException("a pace has pieces of at least one character");
    }
  }

  /** Returns the pieces of the text, in order. */
  List<String> pieces(String text) {
    var pieces = new ArrayList<String>();
    for (int from = 0; from < text.length(); ) {
      int to = chunk > text.length() - from ? text.length() : from + chunk;
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++; // never between the two halves of a surrogate pair
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }
}
