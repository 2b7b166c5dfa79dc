package dev.midcourse.autopilot.forge;

/**
 * A text in a comment that people do not see, by which Midcourse finds its own comment again. It
 * proves nothing about the author, since everybody can copy it: the author is compared too.
 */
public final class HiddenMarker {
  private HiddenMarker() {}

  /** Returns the body with the marker below it. */
  public static String append(String body, String marker) {
    return isIn(body, marker) ? body : body.stripTrailing() + "\n\n" + comment(marker);
  }

  /** Whether the marker ends the body. A marker in the text before is the author's text. */
  public static boolean isIn(String body, String marker) {
    return body.stripTrailing().endsWith(comment(marker));
  }

  /** A marker with other characters could end the comment. */
  private static String comment(String marker) {
    if (!marker.matches("[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}") || marker.contains("--")) {
      throw new IllegalArgumentException(
          "a marker has letters, digits and . _ : / -, and at most 200 characters");
    }
    return "<!-- " + marker + " -->";
  }
}
