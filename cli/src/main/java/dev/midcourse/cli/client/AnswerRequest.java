package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.AskAnswer;
import java.util.Optional;

/** The request that answers a question of an agent. */
public final class AnswerRequest {
  private AnswerRequest() {}

  /**
   * Returns the answer that a text means.
   *
   * @param ask the question, as the hub describes it
   * @throws Failure for a text that is not an answer to it; nothing has been sent then
   */
  public static AskAnswer parse(JsonValue.Obj ask, String typed, Optional<String> why) {
    try {
      return AskAnswer.parse(kind(ask), typed, why);
    } catch (RefusedException e) {
      throw Failure.usage(
          TextSanitizer.line(e.problem().message()) + "; nothing was sent",
          "answer with " + e.problem().rule());
    }
  }

  /** Returns the kind of the question. An unknown kind is a permission request: the strict one. */
  public static AskKind kind(JsonValue.Obj ask) {
    return ask.text("kind")
        .or(() -> ask.text("ask_kind"))
        .flatMap(name -> ExitCode.named(AskKind.values(), name))
        .orElse(AskKind.PERMISSION);
  }

  /** Returns the body of the request. */
  public static JsonValue.Obj of(AskAnswer answer) {
    return switch (answer) {
      case AskAnswer.Allow() -> JsonValue.Obj.EMPTY.with("answer", "allow");
      case AskAnswer.Deny(String why) ->
          JsonValue.Obj.EMPTY.with("answer", "deny").with("why", why);
      case AskAnswer.Words(String text) -> JsonValue.Obj.EMPTY.with("answer", text);
    };
  }
}
