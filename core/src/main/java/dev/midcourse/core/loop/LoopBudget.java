package dev.midcourse.core.loop;

import dev.midcourse.core.Problem;
import java.time.Duration;
import java.util.Optional;

/**
 * How much a loop may use before it asks a person. A budget is tested before a call begins, so one
 * call may go beyond the limits of money and tokens.
 *
 * @param fixes fixes over all rounds
 * @param reviews reviews over all rounds
 * @param microDollars the cost of all calls, in millionths of a US dollar
 * @param tokens the tokens of all calls, in and out
 * @param time since the loop was created
 */
public record LoopBudget(
    int fixes,
    int reviews,
    Optional<Long> microDollars,
    Optional<Long> tokens,
    Optional<Duration> time) {
  private static final int MAX_CALLS = 100;

  public static final LoopBudget DEFAULT =
      new LoopBudget(5, 8, Optional.empty(), Optional.empty(), Optional.empty());

  public LoopBudget {
    requireCalls("fixes", fixes);
    requireCalls("reviews", reviews);
    if (microDollars.filter(it -> it < 1).isPresent()) {
      throw Problem.invalid("budget", "more than 0", "budget must be more than 0").refused();
    }
    if (tokens.filter(it -> it < 1).isPresent()) {
      throw Problem.invalid("tokens", "at least 1", "tokens must be at least 1").refused();
    }
    if (time.filter(it -> !it.isPositive()).isPresent()) {
      throw Problem.invalid("time", "more than 0", "time must be more than 0").refused();
    }
  }

  private static void requireCalls(String field, int count) {
    if (count < 0 || count > MAX_CALLS) {
      throw Problem.invalid(field, "0 to " + MAX_CALLS, field + " must be from 0 to " + MAX_CALLS)
          .refused();
    }
  }

  public LoopBudget withMore(int moreFixes, int moreReviews) {
    return new LoopBudget(
        Math.min(MAX_CALLS, fixes + moreFixes),
        Math.min(MAX_CALLS, reviews + moreReviews),
        microDollars,
        tokens,
        time);
  }

  /** The same number of calls, without limits of money, tokens and time. */
  public LoopBudget withoutTotals() {
    return new LoopBudget(fixes, reviews, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
