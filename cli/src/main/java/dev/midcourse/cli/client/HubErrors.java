package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;

/** Turns the hub's refusals into words and an exit code, with what to do about each. */
final class HubErrors {
  private HubErrors() {}

  static Failure of(int status, String body) {
    JsonValue.Obj problem;
    try {
      problem = JsonReader.readObject(body);
    } catch (JsonException e) {
      return Failure.of(ExitCode.FAILED, "the hub answered with status " + status, "").because(e);
    }
    String code = problem.text("code").orElse("");
    String what =
        problem
            .text("detail")
            .or(() -> problem.text("title"))
            .orElse("the hub answered with status " + status);
    return Failure.of(exitCode(status, code), TextSanitizer.line(what), remedy(code, problem));
  }

  private static ExitCode exitCode(int status, String code) {
    if (code.equals("not_found") || (code.isEmpty() && status == 404)) {
      return ExitCode.NOT_FOUND;
    }
    return status >= 500 && code.isEmpty() ? ExitCode.FAILED : ExitCode.REFUSED;
  }

  private static String remedy(String code, JsonValue.Obj problem) {
    return switch (code) {
      case "not_found" -> whereToLook(problem.text("field").orElse(""));
      case "key_conflict" -> "use another --key, or the same text as before";
      case "duplicate" -> "midcourse show RUN tells where it stands; another --id is another run";
      case "run_ended" -> "midcourse show RUN has its result";
      case "too_late" -> "midcourse receipt STEER shows where it is";
      case "unsupported" -> "--on-unsupported degrade takes the nearest mode the agent has";
      case "limit" -> "wait until some of them are through, or withdraw some";
      case "wrong_turn" -> "look again: midcourse show RUN";
      case "unavailable" -> "nothing was changed; try again";
      case "forbidden" -> "ask as somebody who may";
      default -> rule(problem);
    };
  }

  private static String whereToLook(String field) {
    return switch (field) {
      case "run_id" -> "midcourse ps --all lists the runs there are";
      case "steer_id" -> "midcourse steers RUN lists those of a run";
      case "ask" -> "midcourse show RUN lists what it asks";
      case "as" -> "midcourse groups lists those of midcourse.toml";
      default -> "";
    };
  }

  private static String rule(JsonValue.Obj problem) {
    String rule = problem.text("rule").orElse("");
    String field = problem.text("field").orElse("");
    if (rule.isEmpty() || problem.text("detail").orElse("").contains(rule)) {
      return "";
    }
    return TextSanitizer.line(
        field.isEmpty() || field.endsWith("_id") ? rule : field + ": " + rule);
  }
}
