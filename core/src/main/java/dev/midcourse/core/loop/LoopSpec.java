package dev.midcourse.core.loop;

import dev.midcourse.core.Problem;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.forge.ForgeOrder;
import java.time.Duration;
import java.util.Optional;

/**
 * The order for a loop. It does not change; the prompts and the budget, which do, are in the loop.
 *
 * @param host the host that has the repository, and that carries the loop out
 * @param repository the folder of the repository, as an absolute path on the host of the hub
 * @param base the branch at which the work begins, and into which it lands
 * @param branch the branch of the loop
 * @param worker the worker of the runs that change the code
 * @param ci a command for a shell; it runs in a checkout of the commit
 * @param reviewTimeout how long a review may take before a person is asked
 * @param ciTimeout how long CI may take before a person is asked
 * @param forge what the loop does at a forge; empty for a loop that needs none
 */
public record LoopSpec(
    HostName host,
    String repository,
    BranchName base,
    BranchName branch,
    WorkerName worker,
    AgentName agent,
    LoopReviewer reviewer,
    Optional<String> ci,
    Duration reviewTimeout,
    Duration ciTimeout,
    Optional<ForgeOrder> forge) {
  public static final Duration DEFAULT_REVIEW_TIMEOUT = Duration.ofMinutes(60);
  public static final Duration DEFAULT_CI_TIMEOUT = Duration.ofMinutes(90);
  private static final Duration MAX_TIMEOUT = Duration.ofDays(7);
  private static final int MAX_CI = 10_000;

  public LoopSpec {
    if (!repository.startsWith("/") || repository.indexOf('\0') >= 0) {
      throw Problem.invalid(
              "repo", "an absolute path", "repo must be the absolute path of a git repository")
          .refused();
    }
    if (branch.equals(base)) {
      throw Problem.invalid(
              "branch", "another branch than base", "branch and base are both " + base)
          .refused();
    }
    if (ci.filter(it -> it.isBlank() || it.length() > MAX_CI || it.indexOf('\0') >= 0)
        .isPresent()) {
      throw Problem.invalid("ci", "a command for sh", "ci must be a command for sh").refused();
    }
    requireTimeout("review_timeout", reviewTimeout);
    requireTimeout("ci_timeout", ciTimeout);
    if (forge.isEmpty() && reviewer instanceof LoopReviewer.OfLogin) {
      throw Problem.invalid(
              "reviewer",
              "a login only together with a forge",
              "reviewer " + reviewer.name() + " is a login; name the forge too")
          .refused();
    }
  }

  /** A loop that uses no forge. */
  public LoopSpec(
      HostName host,
      String repository,
      BranchName base,
      BranchName branch,
      WorkerName worker,
      AgentName agent,
      LoopReviewer reviewer,
      Optional<String> ci,
      Duration reviewTimeout,
      Duration ciTimeout) {
    this(
        host,
        repository,
        base,
        branch,
        worker,
        agent,
        reviewer,
        ci,
        reviewTimeout,
        ciTimeout,
        Optional.empty());
  }

  private static void requireTimeout(String field, Duration timeout) {
    if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw Problem.invalid(
              field, "more than 0 and at most 7d", field + " must be more than 0 and at most 7d")
          .refused();
    }
  }
}
