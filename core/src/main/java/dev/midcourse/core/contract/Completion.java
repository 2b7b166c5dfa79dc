package dev.midcourse.core.contract;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * The report of a worker that has finished, with every field checked. Only {@link CompletionReader}
 * creates it.
 *
 * @param commitSha the whole id or its beginning; empty where there was nothing to build
 */
public record Completion(
    RunId runId,
    BranchName branch,
    Optional<String> commitSha,
    List<String> filesChanged,
    String testResult,
    String risk,
    Optional<String> prUrl,
    Optional<String> prSkippedReason,
    Optional<SessionId> sessionId) {
  public Completion {
    filesChanged = List.copyOf(filesChanged);
  }
}
