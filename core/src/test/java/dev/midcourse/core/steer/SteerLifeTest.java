package dev.midcourse.core.steer;

import dev.midcourse.core.Problem;

class SteerLifeTest {

  static Steer changed(Steer steer, SteerChange change) {
    return switch (SteerLife.apply(steer, change)) {
      case SteerLife.Outcome.Changed(Steer next) -> next;
      case SteerLife.Outcome.Stale(String why) -> throw new AssertionError("stale: " + why);
      case SteerLife.Outcome.NotPossible(Problem problem) ->
          throw new AssertionError(problem.message());
    };
  }
}
