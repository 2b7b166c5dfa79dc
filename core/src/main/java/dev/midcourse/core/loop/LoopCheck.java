package dev.midcourse.core.loop;

import java.time.Instant;
import java.util.Optional;

/**
 * One round of checks of one commit: review and CI at the same time.
 *
 * @param head the commit
 * @param reviewDue when a person is asked because the review has not come
 * @param ciDue when a person is asked because CI has not ended
 */
public record LoopCheck(
    int round,
    String head,
    ReviewScope scope,
    Optional<ReviewVerdict> review,
    Optional<CiVerdict> ci,
    Instant since,
    Instant reviewDue,
    Instant ciDue) {

  public boolean isSettled() {
    return review.isPresent() && ci.isPresent();
  }

  public LoopCheck withReview(Optional<ReviewVerdict> verdict) {
    return new LoopCheck(round, head, scope, verdict, ci, since, reviewDue, ciDue);
  }

  public LoopCheck withCi(Optional<CiVerdict> verdict) {
    return new LoopCheck(round, head, scope, review, verdict, since, reviewDue, ciDue);
  }

  public LoopCheck withDue(Instant review, Instant ciEnd) {
    return new LoopCheck(round, head, scope, this.review, ci, since, review, ciEnd);
  }

  /** When a person is asked about what is still missing; empty if nothing is. */
  Optional<Instant> nextDue() {
    Optional<Instant> reviewTime = review.isEmpty() ? Optional.of(reviewDue) : Optional.empty();
    Optional<Instant> ciTime = ci.isEmpty() ? Optional.of(ciDue) : Optional.empty();
    return reviewTime.isPresent() && ciTime.isPresent()
        ? Optional.of(reviewDue.isBefore(ciDue) ? reviewDue : ciDue)
        : reviewTime.or(() -> ciTime);
  }
}
