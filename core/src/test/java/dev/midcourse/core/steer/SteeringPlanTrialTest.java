package dev.midcourse.core.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The plan and the life of steers together, against agents of all sorts. */
class SteeringPlanTrialTest {

  @Test
  void every_steer_reaches_an_end_once_and_in_order_whatever_the_agent_does() {
    Set<SteerEnd> ends = EnumSet.noneOf(SteerEnd.class);
    Set<PendingPolicy> policies = EnumSet.noneOf(PendingPolicy.class);
    Seeded.trials(
        400,
        random -> {
          PlannedRun run = new PlannedRun(random);
          for (int step = 0; step < 60; step++) {
            run.somethingHappens();
            run.plan();
          }
          run.comesToRest();
          policies.add(run.policy());
          run.steers().forEach(s -> s.ended().ifPresent(ending -> ends.add(ending.how())));

          assertThat(run.steers().stream().filter(Steer::open))
              .as("only guidance for a call that never came is still open")
              .allMatch(steer -> steer.mode() == SteerMode.NEXT && steer.pending());
          assertThat(SteeringPlan.canEnd(run.steers())).isTrue();
        });
    if (Long.getLong("midcourse.seed") == null) {
      assertThat(policies).containsExactlyInAnyOrder(PendingPolicy.values());
      assertThat(ends)
          .as("the trials went everywhere a living agent can lead")
          .contains(SteerEnd.ANSWERED, SteerEnd.CARRIED, SteerEnd.SUPERSEDED, SteerEnd.EXPIRED);
    }
  }
}
