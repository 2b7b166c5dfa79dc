package dev.midcourse.core.contract;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request of a lead for work by a worker, with every field checked. Only {@link DispatchReader}
 * creates it.
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

  /**
   * Returns whether the run builds nothing and only checks that the worker responds. The prefix of
   * the run id decides this.
   */
  public boolean noCode() {
    return NO_CODE.matcher(runId.value()).matches();
  }

  /** Returns whether the run must change files and commit them. */
  public boolean mustChangeCode() {
    return taskType.changesCode() && !noCode();
  }

  /** Returns whether both dispatches ask for work on the same branch of the same repository. */
  public boolean sharesBranchWith(Dispatch other) {
    return repo.equals(other.repo) && branch.equals(other.branch);
  }
}
