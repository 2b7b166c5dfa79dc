package dev.midcourse.core.contract;

import java.util.List;
import java.util.Optional;

/**
 * What is really in a run's checkout.
 *
 * @param branch the branch that is checked out
 * @param commit the whole id of the commit that the completion names, if there is one
 * @param onBranch whether that commit is on the run's branch
 * @param clean whether everything is committed
 * @param changed the files that differ between the run's start and that commit
 */
public record WorkFound(
    Optional<String> branch,
    Optional<String> commit,
    boolean onBranch,
    boolean clean,
    List<String> changed) {
  public WorkFound {
    changed = List.copyOf(changed);
  }
}
