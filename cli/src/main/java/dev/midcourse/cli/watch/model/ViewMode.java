package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** The mode of the view. It decides the effect of keys. */
public sealed interface ViewMode {
  record Browsing() implements ViewMode {}

  /**
   * All events of the chosen run.
   *
   * @param back how many rows above the newest
   */
  record Log(int back) implements ViewMode {}

  /** The steers of the chosen run that have not ended. */
  record Pending(int index) implements ViewMode {}

  record Help() implements ViewMode {}

  record Line(InputPurpose purpose, InputLine typing) implements ViewMode {}

  record Stopping(String run) implements ViewMode {}

  /**
   * A question that waits for the answer of the user.
   *
   * @param ask blank while it is not known what is asked
   */
  record Answering(String run, String ask, AskKind kind, String question) implements ViewMode {
    static Answering of(String run, List<JsonValue.Obj> asks) {
      JsonValue.Obj first = asks.isEmpty() ? JsonValue.Obj.EMPTY : asks.getFirst();
      return new Answering(
          run,
          first.text("ask").orElse(""),
          AnswerRequest.kind(first),
          first.text("question").orElse(""));
    }
  }

  ViewMode BROWSING = new Browsing();
}
