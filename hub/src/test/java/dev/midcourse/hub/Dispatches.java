package dev.midcourse.hub;

/** Dispatches as a lead writes them. */
final class Dispatches {
  private Dispatches() {}

  static String of(String run, String input) {
    return """
    {"run_id": "%s", "task_type": "test", "context_intent": "fresh", "input": "%s",
     "repo": "acme/shop", "branch": "jarvis-x", "acceptance_tests": ["it answers"],
     "output_contract": {"required_fields": ["run_id", "branch", "commit_sha",
       "files_changed", "test_result", "risk", "pr_skipped_reason"]}}\
    """
        .formatted(run, input);
  }
}
