package dev.midcourse.cli.watch;

import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** What the keys mean now. */
sealed interface Mode {
  record Browsing() implements Mode {}

  /**
   * All events of the chosen run.
   *
   * @param back how many rows above the newest
   */
  record Log(int back) implements Mode {}

  /** The steers of the chosen run that have not ended. */
  record Pending(int index) implements Mode {}

  record Help() implements Mode {}

  record Line(Purpose purpose, Typing typing) implements Mode {}

  record Stopping(String run) implements Mode {}

  /**
   * A question before its answer.
   *
   * @param ask blank while it is not known what is asked
   */
  record Answering(String run, String ask, String question) implements Mode {
    static Answering of(String run, List<JsonValue.Obj> asks) {
      JsonValue.Obj first = asks.isEmpty() ? JsonValue.Obj.EMPTY : asks.getFirst();
      return new Answering(run, first.text("ask").orElse(""), first.text("question").orElse(""));
    }
  }

  Mode BROWSING = new Browsing();
}
