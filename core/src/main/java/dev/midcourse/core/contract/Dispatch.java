package dev.midcourse.core.contract;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Work that a lead asks of a worker, every field checked. Made by {@link DispatchReader} only.
 *
 * @param ignored fields that no rule knows; they have no effect
 */
public record Dispatch(
    RunId runId,
    Optional<String> requestId,
    TaskType taskType,
    ContextIntent contextIntent,
    String input,
    RepoName repo,
    Optional<BranchName> baseBranch,
    BranchName branch,
    List<String> acceptanceTests,
    OutputContract outputContract,
    boolean uiImpacting,
    Optional<SessionId> sessionId,
    Optional<RunId> parentRunId,
    TaskPriority priority,
    Optional<String> projectKey,
    List<String> ignored) {
  private static final Pattern NO_CODE = Pattern.compile("(ping|smoke|health|sync)-.*");

  public Dispatch {
    acceptanceTests = List.copyOf(acceptanceTests);
    ignored = List.copyOf(ignored);
  }

  /** Whether nothing is to be built: a sign of life, known by the run's name. */
  public boolean noCode() {
    return NO_CODE.matcher(runId.value()).matches();
  }

  /** Whether files must have changed and a commit must have them. */
  public boolean mustChangeCode() {
    return taskType.changesCode() && !noCode();
  }

  /** Whether both dispatches ask for work on one branch of one repository. */
  public boolean sharesBranchWith(Dispatch other) {
    return repo.equals(other.repo) && branch.equals(other.branch);
  }
}
