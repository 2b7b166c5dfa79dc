package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Questions of agents that have no answer yet. */
public final class OpenQuestions {
  private OpenQuestions() {}

  /** Returns the open questions of a run. */
  public static List<JsonValue.Obj> open(HubClient hub, String run) {
    return hub.get("/runs/" + HttpRequest.encoded(run) + "/asks").objects("asks").stream()
        .filter(ask -> ask.text("closed_at").isEmpty())
        .toList();
  }

  /** Returns the open question of this name. */
  public static JsonValue.Obj named(HubClient hub, String run, String name) {
    return open(hub, run).stream()
        .filter(ask -> ask.text("ask").orElse("").equals(name))
        .findFirst()
        .orElseThrow(() ->
            Failure.of(
                ExitCode.NOT_FOUND,
                "run '"
                    + TextSanitizer.line(run)
                    + "' has no open question "
                    + TextSanitizer.line(name),
                "list its open questions: midcourse show " + TextSanitizer.line(run)));
  }

  /** Returns the open question; fails unless exactly one question is open. */
  public static JsonValue.Obj only(HubClient hub, String run) {
    List<JsonValue.Obj> open = open(hub, run);
    if (open.isEmpty()) {
      throw Failure.of(
          ExitCode.NOT_FOUND,
          "run '" + TextSanitizer.line(run) + "' is not waiting for an answer",
          "show the run that needs attention first: midcourse next");
    }
    if (open.size() > 1) {
      List<String> names = open.stream().map(ask -> ask.text("ask").orElse("")).toList();
      throw Failure.usage(
          "run '" + TextSanitizer.line(run) + "' has " + open.size() + " open questions",
          "choose one with --ask: " + TextSanitizer.line(String.join(", ", names)));
    }
    return open.getFirst();
  }
}
