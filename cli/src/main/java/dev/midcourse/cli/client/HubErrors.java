package dev.midcourse.cli.client;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;

/** Turns an error response of the hub into a message, an exit code and a hint. */
final class HubErrors {
  private HubErrors() {}

  /**
   * Returns the failure for this error response.
   *
   * @param path the path of the request; its run or steer is named in the hint
   */
  static Failure of(int status, String body, String path) {
    JsonValue.Obj problem;
    try {
      problem = JsonReader.readObject(body);
    } catch (JsonException e) {
      return Failure.of(ExitCode.FAILED, "the hub returned HTTP status " + status, "").because(e);
    }
    String code = problem.text("code").orElse("");
    String what =
        problem
            .text("detail")
            .or(() -> problem.text("title"))
            .orElse("the hub returned HTTP status " + status);
    return Failure.of(
        exitCode(status, code), TextSanitizer.line(what), remedy(code, problem, path));
  }

  private static ExitCode exitCode(int status, String code) {
    if (code.equals("not_found") || (code.isEmpty() && status == 404)) {
      return ExitCode.NOT_FOUND;
    }
    return status >= 500 && code.isEmpty() ? ExitCode.FAILED : ExitCode.REFUSED;
  }

  private static String remedy(String code, JsonValue.Obj problem, String path) {
    return switch (code) {
      case "not_found" -> whereToLook(problem.text("field").orElse(""), path);
      case "key_conflict" -> "use another --key, or send the same text as before";
      case "duplicate" ->
          path.contains("/wirings")
              ? "list all wirings: midcourse wirings"
              : path.contains("/identities")
                  ? "take the account from its person: midcourse people unlink PERSON IDENTITY"
                  : otherId(path);
      case "run_ended" -> "show its result: midcourse show " + after("/runs/", path, "RUN");
      case "too_late" ->
          path.contains("/outbox/")
              ? "list messages that were not sent: midcourse outbox"
              : "show its receipt: midcourse receipt " + after("/steers/", path, "STEER");
      case "unsupported" ->
          path.contains("/steers")
              ? "add --on-unsupported degrade to use the nearest mode that the agent supports"
              : "check the agents and how to fix them: midcourse doctor";
      case "limit" -> "wait until some of them have ended, or withdraw some";
      case "wrong_turn" -> "show the running turn: midcourse show " + after("/runs/", path, "RUN");
      case "unavailable" -> "nothing was changed; try again";
      case "forbidden" -> "use a group that is allowed to do this: midcourse groups";
      default ->
          path.endsWith("/dismiss")
              ? "show the run that needs attention first: midcourse next"
              : path.endsWith("/review") && problem.text("field").orElse("").equals("run_id")
                  ? "list runs that wait for review: midcourse ps --state review_requested"
                  : rule(problem);
    };
  }

  private static String otherId(String path) {
    if (path.contains("/runs/")) {
      return "show it: midcourse show " + after("/runs/", path, "RUN");
    }
    return "choose another "
        + (path.startsWith("/dispatch") ? "run_id" : "--id")
        + ", or list all runs: midcourse ps --all";
  }

  private static String whereToLook(String field, String path) {
    return switch (field) {
      case "run_id" -> "list all runs: midcourse ps --all";
      case "steer_id" -> "list the steers of the only live run: midcourse steers -";
      case "ask" -> "list its open questions: midcourse show " + after("/runs/", path, "RUN");
      case "as" -> "list all groups: midcourse groups";
      case "worker" -> "list all workers: midcourse workers";
      case "session_id" -> "list all signed-in browsers: midcourse sessions";
      case "person_id", "identity", "role" -> "list all people: midcourse people";
      case "chat_id" -> "list all chats: midcourse chats";
      case "wiring_id" -> "list all wirings: midcourse wirings";
      case "approval_id" -> "list pending approvals: midcourse approvals";
      case "outbound_id" -> "list messages that were not sent: midcourse outbox";
      case "message" -> "list the newest messages of a chat: midcourse chats show CHAT";
      default -> "";
    };
  }

  /** Returns the part of the path after the prefix; the placeholder if that part is missing. */
  private static String after(String prefix, String path, String placeholder) {
    int from = path.indexOf(prefix);
    if (from < 0) {
      return placeholder;
    }
    String rest = path.substring(from + prefix.length());
    int end = 0;
    while (end < rest.length() && rest.charAt(end) != '/' && rest.charAt(end) != '?') {
      end++;
    }
    String id = rest.substring(0, end);
    return id.isEmpty() || id.indexOf('%') >= 0 ? placeholder : id;
  }

  private static String rule(JsonValue.Obj problem) {
    String rule = problem.text("rule").orElse("");
    String field = problem.text("field").orElse("");
    if (rule.isEmpty() || problem.text("detail").orElse("").contains(rule)) {
      return "";
    }
    if (field.isEmpty()) {
      return TextSanitizer.line(rule);
    }
    return TextSanitizer.line(field.endsWith("_id") ? "expected " + rule : field + ": " + rule);
  }
}
