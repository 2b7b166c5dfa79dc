package dev.midcourse.agents.rehearsal.program;

/**
 * The forms of the autopilot, filled in by the rehearsal agent: it calls every finding fixed, and
 * finds nothing when it reviews. Written without regular expressions, because the agent starts with
 * few classes.
 */
final class FilledForm {
  private FilledForm() {}

  /** Returns the filled form that the message asks for; empty if it asks for none. */
  static String of(String message) {
    String answers = block(message, "<answers>", "</answers>");
    if (!answers.isEmpty()) {
      return "\n" + answers;
    }
    String head = block(block(message, "<review>", "</review>"), "\"head\": \"", "\",");
    return head.isEmpty() ? "" : "\n<review>{" + head + " \"verdict\": \"clean\"}</review>";
  }

  /** The last text from the opening up to and with the closing; empty if there is none. */
  private static String block(String text, String opening, String closing) {
    int from = text.lastIndexOf(opening);
    int to = from < 0 ? -1 : text.indexOf(closing, from + opening.length());
    return to < 0 ? "" : text.substring(from, to + closing.length());
  }
}
