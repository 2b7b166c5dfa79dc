package dev.midcourse.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Samples;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.remote.LoopStack;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a loop on the branch of another loop's change gets the base of that change. */
class LoopStackTest {
  private static final LoopTrial BELOW = stacked("lower", "main", Optional.empty(), "acme/shop");

  private static LoopTrial stacked(
      String branch, String base, Optional<String> on, String project) {
    ForgeOrder order =
        new ForgeOrder(
            "github",
            project,
            "https://forge.test/acme/shop.git",
            false,
            false,
            Optional.empty(),
            false,
            List.of(),
            on.map(LoopId::of),
            ForgeOrder.DEFAULT_CI_GRACE,
            ForgeOrder.DEFAULT_QUIET);
    return new LoopTrial(
        Loop.created(
            LoopId.of("loop-" + branch),
            new LoopSpec(
                HostName.of("host-1"),
                "/src/shop",
                BranchName.of(base),
                BranchName.of(branch),
                WorkerName.of("any"),
                AgentName.of("claude"),
                LoopReviewer.parse("none"),
                Optional.empty(),
                Duration.ofMinutes(60),
                Duration.ofMinutes(90),
                Optional.of(order)),
            LoopBudget.DEFAULT,
            true,
            "Fix it.",
            Samples.ANNA,
            Samples.START));
  }

  private static LoopTrial above() {
    return stacked("upper", "lower", Optional.of("loop-lower"), "acme/shop");
  }

  private static LoopTrial stopped(LoopTrial trial) {
    trial.apply(new LoopCommand.Stop(Samples.ANNA));
    return trial;
  }

  @Test
  void a_loop_is_on_another_one_while_its_base_is_the_branch_of_that_one() {
    LoopTrial above = above();
    assertThat(LoopStack.isOn(above.loop, BELOW.loop)).isTrue();
    above.apply(new LoopFact.ParentLanded("main"));
    assertThat(LoopStack.isOn(above.loop, BELOW.loop)).isFalse();
    assertThat(LoopStack.isOn(stopped(above()).loop, BELOW.loop)).isFalse();
  }

  @Test
  void a_branch_of_the_same_name_in_another_project_is_another_branch() {
    LoopTrial other = stacked("lower", "main", Optional.empty(), "acme/other");
    assertThat(LoopStack.isOn(above().loop, other.loop)).isFalse();
  }

  @Test
  void a_loop_that_only_has_the_same_base_is_on_no_other_loop() {
    LoopTrial alone = stacked("upper", "lower", Optional.empty(), "acme/shop");
    assertThat(LoopStack.isOn(alone.loop, BELOW.loop)).isFalse();
  }

  /** Seen to fail when only a loop that has landed by itself counts. */
  @Test
  void the_change_below_is_looked_at_when_its_loop_has_ended_or_the_forge_moved_the_base() {
    Loop above = above().loop;
    assertThat(LoopStack.isLookNeeded(above, BELOW.loop, "lower")).isFalse();
    assertThat(LoopStack.isLookNeeded(above, BELOW.loop, "main")).isTrue();
    Loop ended = stopped(stacked("lower", "main", Optional.empty(), "acme/shop")).loop;
    assertThat(LoopStack.isLookNeeded(above, ended, "lower")).isTrue();
    assertThat(LoopStack.baseAfterLanding(above, ended))
        .as("it was stopped, and perhaps merged by somebody: only a look can tell")
        .isEmpty();
  }
}
