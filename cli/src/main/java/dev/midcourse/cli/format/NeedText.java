package dev.midcourse.cli.format;

import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.run.Need;

/** The reason why a run needs attention, as people read it. */
public final class NeedText {
  private NeedText() {}

  /** The need under this name of the API. */
  public static String of(String needs) {
    return of(Need.parse(needs));
  }

  public static String of(Need need) {
    return switch (need) {
      case Need.Answer(AskKind kind) -> ofAsk(WireNames.name(kind));
      case Need.Review() -> "review";
      case Need.Quiet() -> "no activity";
      case Need.FailedContract() -> "completion invalid";
      case Need.TimedOut() -> "timed out";
      case Need.Failed() -> "failed";
      case Need.Unknown(String text) -> TextSanitizer.line(text);
    };
  }

  /** The activity of a run whose agent waits for the answer to such a question. */
  public static String waiting(AskKind kind) {
    return switch (kind) {
      case PERMISSION -> "waiting for approval";
      case QUESTION -> "waiting for an answer";
    };
  }

  /** The kind of an open question. A kind that this version does not know is shown by its name. */
  public static String ofAsk(String kind) {
    return kind.equals(WireNames.name(AskKind.PERMISSION))
        ? "permission request"
        : TextSanitizer.line(kind);
  }
}
