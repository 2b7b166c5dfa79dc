package dev.midcourse.proof.crash.check;

import dev.midcourse.core.id.SteerId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A steer as an agent received it. */
record Framed(SteerId steer, String text) {
  private static final Pattern FRAME =
      Pattern.compile(
          "\\[midcourse steer ([0-9a-f-]{36}) from [^\n]*]\n(.*)\n\\[end of midcourse steer \\1]");

  static List<Framed> in(String message) {
    List<Framed> all = new ArrayList<>();
    Matcher frame = FRAME.matcher(message);
    while (frame.find()) {
      all.add(new Framed(SteerId.of(frame.group(1)), frame.group(2)));
    }
    return all;
  }

  /** Parses a message that contains one steer in its frame. */
  static Framed of(SteerId steer, String message) {
    return in(message).stream()
        .filter(framed -> framed.steer().equals(steer))
        .findFirst()
        .orElse(new Framed(steer, message));
  }
}
