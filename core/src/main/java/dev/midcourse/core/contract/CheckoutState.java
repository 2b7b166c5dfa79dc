package dev.midcourse.core.contract;

import java.util.List;
import java.util.Optional;

/**
 * The real state of a run's checkout.
 *
 * @param branch the branch that is checked out
 * @param commit the whole id of the commit that the completion names, if there is one
 * @param last whether that commit is the last of the run's branch
 * @param fromStart whether the branch still has the commit at which the run began
 * @param clean whether everything is committed
 * @param changed the files that differ between the run's start and the branch's last commit
 */
public record CheckoutState(
    Optional<String> branch,
    Optional<String> commit,
    boolean last,
    boolean fromStart,
    boolean clean,
    List<String> changed) {
  public CheckoutState {
    changed = List.copyOf(changed);
  }
}
