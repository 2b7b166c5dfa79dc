package dev.midcourse.proof.crash;

import java.util.Optional;

/**
 * A steer that a drill sent.
 *
 * @param replaces the id of the steer it is to replace
 * @param id what it was stored as; empty while no hub has said so
 */
record Sent(
    String run, String key, String mode, String text, Optional<String> replaces, String id) {

  /** The so-manieth of a drill. Its key and the first words of its text are no other's. */
  static Sent numbered(int number, String run, String mode, Optional<String> replaces) {
    return new Sent(run, "k" + number, mode, "remark " + number, replaces, "");
  }

  Sent answered(String itsId) {
    return new Sent(run, key, mode, text, replaces, itsId);
  }

  /** What an edit makes of its text: its first words stay. */
  String betterText() {
    return text + ", better said";
  }

  /** The first words of a text by which its steer is known, whatever id it came with. */
  static String remark(String text) {
    return text.split(",", 2)[0];
  }

  String line() {
    String all = replaces.map(older -> mode + "/" + older).orElse(mode);
    return "steer " + run + " " + key + " " + all + ":" + text;
  }
}
