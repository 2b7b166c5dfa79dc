package dev.midcourse.core.contract;

import java.util.List;

/**
 * The fields that the completion must have.
 *
 * @param requiredFields each once, in the order in which they were asked for
 * @param browserEvidence whether the completion must prove the work in a browser
 */
public record OutputContract(List<String> requiredFields, boolean browserEvidence) {
  /** The fields that every dispatch must require. */
  static final List<String> ALWAYS =
      List.of("run_id", "branch", "commit_sha", "files_changed", "test_result", "risk");

  static final String PR_URL = "pr_url";
  static final String PR_SKIPPED = "pr_skipped_reason";
  static final String SESSION = "session_id";

  public OutputContract {
    requiredFields = List.copyOf(requiredFields);
  }

  public boolean requires(String field) {
    return requiredFields.contains(field);
  }
}
