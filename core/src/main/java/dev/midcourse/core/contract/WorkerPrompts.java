package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the messages to a worker: the task of a dispatch, the rework after a review, and the
 * problems of a completion.
 */
public final class WorkerPrompts {
  private static final String REPAIR =
      "Your work is not accepted yet: the completion does not hold.";

  private WorkerPrompts() {}

  /** Returns the opening message of a dispatched run. */
  public static String task(Dispatch dispatch) {
    String tests =
        dispatch.acceptanceTests().stream()
            .map(test -> "- " + test)
            .collect(Collectors.joining("\n"));
    return """
    Task %s (%s) in %s, on branch %s.

    %s

    It is done when these hold:
    %s

    You work in a git worktree of your own on branch %s. Stay on it and commit everything.

    %s\
    """
        .formatted(
            dispatch.runId(),
            dispatch.taskType().wire(),
            dispatch.repo(),
            dispatch.branch(),
            dispatch.input(),
            tests,
            dispatch.branch(),
            form(dispatch));
  }

  /** Returns the changes that a reviewer requests, for the session that did the work. */
  public static String rework(Dispatch dispatch, String what) {
    return """
    Your work on branch %s was reviewed and is to be reworked:

    %s

    %s\
    """
        .formatted(dispatch.branch(), what, form(dispatch));
  }

  /** Returns the request to repair a completion, with all its problems. */
  public static String repair(Dispatch dispatch, List<Problem> problems) {
    String list =
        problems.stream()
            .map(problem -> "- " + problem.field() + ": " + problem.message())
            .collect(Collectors.joining("\n"));
    return REPAIR + "\n" + list + "\n\nFix this, and only this.\n\n" + form(dispatch);
  }

  private static String value(Dispatch dispatch, String field) {
    return field.equals(OutputContract.SESSION)
        ? dispatch.sessionId().map(SessionId::value).orElse("the id of this session")
        : "...";
  }

  private static String form(Dispatch dispatch) {
    OutputContract contract = dispatch.outputContract();
    String evidence =
        contract.browserEvidence()
            ? "\nAlso \"browser_evidence\": {\"base_url\": \"http://127.0.0.1:PORT\","
                + " \"tools_listed\": [...], \"execute_tool_evidence\": \"...\","
                + " \"no_screenshots\": true}."
            : "";
    String others =
        contract.requiredFields().stream()
            .filter(field -> !OutputContract.ALWAYS.contains(field))
            .filter(field -> !field.startsWith("pr_"))
            .map(field -> ",\n \"" + field + "\": \"" + value(dispatch, field) + "\"")
            .collect(Collectors.joining());
    return """
    End your last message with this block, as one JSON object and without a code fence:
    <completion>
    {"run_id": "%s",
     "branch": "%s",
     "commit_sha": "the last commit on your branch",
     "files_changed": ["every file your commits changed"],
     "test_result": "what you ran and what came out",
     "risk": "what could go wrong",
     "pr_skipped_reason": "why there is no pull request; or pr_url with its address"%s}
    </completion>%s\
    """
        .formatted(dispatch.runId(), dispatch.branch(), others, evidence);
  }
}
