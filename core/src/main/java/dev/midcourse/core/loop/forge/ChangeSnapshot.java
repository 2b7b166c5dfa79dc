package dev.midcourse.core.loop.forge;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A change as the forge shows it, all of it about one head: an adapter reads the head first and
 * last, and reads again if it has moved.
 *
 * @param head the newest commit of the change
 * @param base the branch into which it is to be merged
 * @param requested the logins of reviewers who are asked and have not answered yet
 * @param comments comments on the whole change, outside of reviews and threads
 * @param incomplete why something could not be read; an incomplete snapshot is never clean
 */
public record ChangeSnapshot(
    ChangeRef ref,
    State state,
    String head,
    String base,
    boolean draft,
    Mergeability mergeability,
    Set<String> requested,
    List<RemoteReview> reviews,
    List<ReviewThread> threads,
    List<RemoteComment> comments,
    List<RemoteCheck> checks,
    Optional<String> incomplete) {
  public ChangeSnapshot {
    requested = Set.copyOf(requested);
    reviews = List.copyOf(reviews);
    threads = List.copyOf(threads);
    comments = List.copyOf(comments);
    checks = List.copyOf(checks);
  }

  /** The same snapshot with other checks. */
  public ChangeSnapshot withChecks(List<RemoteCheck> others) {
    return new ChangeSnapshot(
        ref,
        state,
        head,
        base,
        draft,
        mergeability,
        requested,
        reviews,
        threads,
        comments,
        others,
        incomplete);
  }

  /** Whether the change is still to be merged. */
  public enum State {
    OPEN,
    CLOSED,
    MERGED
  }
}
