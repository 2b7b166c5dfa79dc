package dev.midcourse.proof.lead;

import java.util.List;
import java.util.Map;

/** Dispatches as a lead passes them to the hub's tools. */
final class Dispatches {
  private static final List<String> REQUIRED =
      List.of(
          "run_id",
          "branch",
          "commit_sha",
          "files_changed",
          "test_result",
          "risk",
          "pr_skipped_reason");

  private Dispatches() {}

  static Map<String, Object> of(String run, String type, String branch, String input) {
    return Map.of(
        "run_id",
        run,
        "task_type",
        type,
        "context_intent",
        "fresh",
        "input",
        input,
        "repo",
        "acme/shop",
        "branch",
        branch,
        "acceptance_tests",
        List.of("it works"),
        "output_contract",
        Map.of("required_fields", REQUIRED));
  }
}
