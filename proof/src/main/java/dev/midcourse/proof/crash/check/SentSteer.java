package dev.midcourse.proof.crash.check;

import java.util.Optional;

/**
 * A steer that a drill sent.
 *
 * @param replaces the id of the steer it is to replace
 * @param id what it was stored as; empty while no hub has said so
 */
public record SentSteer(
    String run, String key, String mode, String text, Optional<String> replaces, String id) {

  /**
   * Creates the steer with this number in a drill. Its key and the first words of its text are
   * unique.
   */
  public static SentSteer numbered(int number, String run, String mode, Optional<String> replaces) {
    return new SentSteer(run, "k" + number, mode, "remark " + number, replaces, "");
  }

  public SentSteer answered(String itsId) {
    return new SentSteer(run, key, mode, text, replaces, itsId);
  }

  /** Returns the edited text, which keeps the first words. */
  public String betterText() {
    return text + ", better said";
  }

  /** Returns the first words of a text, which identify the steer, whatever its id is. */
  public static String remark(String text) {
    return text.split(",", 2)[0];
  }

  public String line() {
    String all = replaces.map(older -> mode + "/" + older).orElse(mode);
    return "steer " + run + " " + key + " " + all + ":" + text;
  }
}
