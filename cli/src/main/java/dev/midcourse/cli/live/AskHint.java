package dev.midcourse.cli.live;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.core.json.JsonValue;

/** Says how an open question is answered. */
final class AskHint {
  private AskHint() {}

  /** Returns the commands that answer it in the view of a run. */
  static String typed(JsonValue.Obj ask) {
    return switch (AnswerRequest.kind(ask)) {
      case PERMISSION -> "/allow allows it, /deny [REASON] denies it";
      case QUESTION -> "/answer TEXT answers it";
    };
  }

  /** Returns the commands that answer it in a shell. */
  static String commands(String run, JsonValue.Obj ask) {
    return switch (AnswerRequest.kind(ask)) {
      case PERMISSION ->
          "midcourse answer %1$s allow, or midcourse answer %1$s deny".formatted(run);
      case QUESTION -> "midcourse answer %s TEXT".formatted(run);
    };
  }

  /** Returns the question in the form of the event that announced it. */
  static JsonValue.Obj asEvent(JsonValue.Obj ask) {
    return ask.with("ask_kind", ask.text("kind").orElse("permission"))
        .with("at", ask.text("asked_at").orElse(""))
        .with("kind", "asked");
  }
}
