package dev.midcourse.core.loop.queue;

import static dev.midcourse.core.loop.queue.QueueTrial.entry;
import static dev.midcourse.core.loop.queue.QueueTrial.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.step.LoopFact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a merge queue does next. */
class QueueStepTest {

  @Test
  void one_loop_whose_head_follows_the_base_lands_without_another_test() {
    QueueTrial trial = new QueueTrial().joins("a");
    assertThat(trial.acts).containsExactly(new QueueAct.Merge(1));
    trial.apply(new QueueFact.Merged(1, "base", "head-a", List.of(id("a"))));
    assertThat(trial.acts).containsExactly(new QueueAct.Land(1));
    trial.apply(new QueueFact.Landed(1, "head-a"));
    assertThat(trial.outcomes).containsEntry(id("a"), new LoopFact.Landed("head-a"));
    assertThat(trial.queue.entries()).isEmpty();
    assertThat(trial.queue.trial()).isEmpty();
  }

  /** Seen to fail when a head counts as tested because it follows the base. */
  @Test
  void a_loop_whose_ci_was_skipped_is_tested_before_it_lands() {
    QueueTrial trial =
        new QueueTrial().apply(new QueueFact.Joined(entry("a", QueueTrial.CI, false)));
    trial.apply(new QueueFact.Merged(1, "base", "head-a", List.of(id("a"))));
    assertThat(trial.acts).containsExactly(new QueueAct.Test(1));
  }

  @Test
  void loops_that_come_during_a_test_wait_and_are_then_tested_together() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base").joins("b", "c");
    assertThat(trial.members()).containsExactly("a");
    trial.green();
    assertThat(trial.members()).containsExactly("b", "c");
    trial.merged("merge-1").green();
    assertThat(trial.landed).containsExactly(id("a"), id("b"), id("c"));
  }

  @Test
  void loops_with_another_command_are_not_tested_together() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base");
    trial.apply(new QueueFact.Joined(entry("b", "make lint", true))).joins("c");
    trial.green();
    assertThat(trial.members()).containsExactly("b");
    trial.merged("merge-1").green();
    assertThat(trial.members()).containsExactly("c");
  }

  /** Seen to fail when the whole batch goes back to its fixers. */
  @Test
  void t685_of_a_red_batch_only_the_guilty_loop_goes_back_and_the_others_land() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base").joins("b", "c", "d", "e");
    trial.green();
    assertThat(trial.members()).containsExactly("b", "c", "d", "e");
    trial.merged("m1").red();
    assertThat(trial.members()).containsExactly("b", "c");
    trial.merged("m1").green();
    assertThat(trial.members()).containsExactly("d");
    trial.merged("m2").red();
    assertThat(trial.notLanded("d").findings().getFirst().body())
        .contains("git merge main")
        .contains("log");
    assertThat(trial.members()).containsExactly("e");
    trial.merged("m2").green();
    assertThat(trial.landed).containsExactly(id("a"), id("b"), id("c"), id("e"));
  }

  @Test
  void a_conflict_with_the_base_goes_back_to_its_loop() {
    QueueTrial trial = new QueueTrial().joins("a", "b");
    trial.apply(new QueueFact.Conflicted(1, List.of("App.java")));
    assertThat(trial.notLanded("a").findings().getFirst().body()).contains("App.java");
    assertThat(trial.members()).containsExactly("b");
  }

  /** Seen to fail when the trial keeps members that are not in its merge. */
  @Test
  void a_loop_that_conflicts_with_one_before_it_waits_until_that_one_has_landed() {
    QueueTrial trial = new QueueTrial().joins("x").merged("base").joins("a", "b");
    trial.green();
    trial.apply(new QueueFact.Merged(trial.number(), "m1", "m2", List.of(id("a"))));
    assertThat(trial.members()).containsExactly("a");
    trial.green();
    assertThat(trial.members()).containsExactly("b");
    trial.apply(new QueueFact.Conflicted(trial.number(), List.of("App.java")));
    assertThat(trial.notLanded("b").why()).contains("conflicts with main");
  }

  /** Seen to fail when QueueStep.baseMoved lands the merge without making it anew. */
  @Test
  void t686_a_base_that_moved_during_the_test_is_merged_and_tested_again() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base");
    trial.apply(new QueueFact.Tested(1, new CiVerdict.Green(trial.result()), List.of()));
    assertThat(trial.acts).containsExactly(new QueueAct.Land(1));
    trial.apply(new QueueFact.BaseMoved(1));
    assertThat(trial.acts).containsExactly(new QueueAct.Merge(2));
    trial.merged("other");
    assertThat(trial.acts).containsExactly(new QueueAct.Test(2));
    trial.ignored(new QueueFact.Landed(1, "merge-1"));
    trial.ignored(new QueueFact.Tested(2, new CiVerdict.Green("merge-1"), List.of()));
    trial.green();
    assertThat(trial.landed).containsExactly(id("a"));
  }

  /** Seen to fail when the trial goes on with a loop that left. */
  @Test
  void t687_a_loop_that_leaves_during_the_test_does_not_land_with_the_others() {
    QueueTrial trial = new QueueTrial().joins("x").merged("base").joins("a", "b", "c");
    trial.green().merged("m1");
    MergeTrial given = trial.trial();
    trial.leaves("b");
    assertThat(trial.acts)
        .containsExactly(new QueueAct.EndTest(given.run()), new QueueAct.Merge(3));
    assertThat(trial.members()).containsExactly("a", "c");
    trial.ignored(new QueueFact.Tested(given.number(), new CiVerdict.Green("merge-2"), List.of()));
    trial.ignored(new QueueFact.Left(id("b")));
  }

  @Test
  void a_loop_that_waits_behind_may_leave_without_another_test() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base").joins("b").leaves("b");
    assertThat(trial.acts).isEmpty();
    assertThat(trial.members()).containsExactly("a");
  }

  @Test
  void a_loop_with_another_head_waits_at_the_end() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base").joins("b");
    trial.ignored(new QueueFact.Joined(entry("a", QueueTrial.CI, true)));
    QueueEntry again = entry("a", QueueTrial.CI, true);
    trial.apply(
        new QueueFact.Joined(
            new QueueEntry(
                again.loop(),
                "another",
                again.branch(),
                again.ci(),
                again.worker(),
                again.author(),
                true,
                again.ciTimeout(),
                again.since())));
    assertThat(trial.waiting()).containsExactly("b", "a");
    assertThat(trial.members()).as("the old merge is given up").containsExactly("b", "a");
  }

  /** Seen to fail when CI without a result is taken for green. */
  @Test
  void t688_a_test_without_a_result_lands_nothing_and_asks() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base");
    trial.apply(
        new QueueFact.Tested(
            1, new CiVerdict.Unavailable(trial.result(), "it was killed"), List.of()));
    assertThat(trial.notLanded("a").findings()).isEmpty();
    assertThat(trial.notLanded("a").why()).contains("it was killed");
    assertThat(trial.landed).isEmpty();
  }

  /** Seen to fail when QueueStep.timePassed leaves a merge that is tested out. */
  @Test
  void t688_a_test_that_takes_too_long_asks() {
    QueueTrial trial = new QueueTrial().joins("a").merged("base");
    trial.ignored(new QueueFact.TimePassed());
    trial.now = trial.now.plus(Duration.ofMinutes(90));
    assertThat(trial.queue.nextDue()).contains(trial.now);
    trial.apply(new QueueFact.TimePassed());
    assertThat(trial.acts).hasSize(1).first().isInstanceOf(QueueAct.EndTest.class);
    assertThat(trial.notLanded("a").why()).contains("not ended in time");
  }

  @Test
  void work_that_the_base_has_already_has_landed() {
    QueueTrial trial = new QueueTrial().joins("a");
    trial.apply(new QueueFact.Merged(1, "base", "base", List.of(id("a"))));
    assertThat(trial.outcomes).containsEntry(id("a"), new LoopFact.Landed("base"));
  }

  @Test
  void at_most_eight_loops_are_tested_together() {
    QueueTrial trial = new QueueTrial().joins("x").merged("base");
    for (int i = 0; i < 12; i++) {
      trial.joins("l" + i);
    }
    trial.green();
    assertThat(trial.members()).hasSize(QueueStep.MAX_BATCH);
  }

  @Test
  void the_next_act_is_the_same_after_a_crash() {
    QueueTrial trial = new QueueTrial();
    assertThat(trial.queue.nextAct()).isEmpty();
    trial.joins("a");
    assertThat(trial.queue.nextAct()).contains(new QueueAct.Merge(1));
    trial.merged("base");
    assertThat(trial.queue.nextAct()).contains(new QueueAct.Test(1));
    trial.apply(new QueueFact.Tested(1, new CiVerdict.Green(trial.result()), List.of()));
    assertThat(trial.queue.nextAct()).contains(new QueueAct.Land(1));
  }

  /**
   * Loops come, leave and are guilty, alone or in pairs; the base moves; facts come twice. The base
   * only ever gets what was tested as it is, no guilty loop lands, and all others land, in their
   * order. Seen to fail when a red batch of two is taken for landed, and when a trial goes on with
   * a loop that left.
   */
  @Test
  void t689_no_order_of_facts_lands_what_was_not_tested_together() {
    Seeded.trials(500, random -> new QueueWalk(random).run());
  }

  /** A random walk with a model of git and of CI. A commit is the set of the loops that it has. */
  private static final class QueueWalk {
    private static final int LOOPS = 14;

    private final RandomGenerator random;
    private final QueueTrial trial = new QueueTrial();
    private final Map<String, Set<String>> commits = new HashMap<>();
    private final Set<String> tested = new HashSet<>();
    private final Set<String> guilty = new HashSet<>();
    private final Set<String> left = new HashSet<>();
    private final List<String> joined = new ArrayList<>();
    private String base = "base-0";
    private int strangers;

    QueueWalk(RandomGenerator random) {
      this.random = random;
      commits.put(base, Set.of());
      for (int i = 0; i < LOOPS; i++) {
        if (random.nextInt(4) == 0) {
          guilty.add(name(i));
        }
      }
    }

    private static String name(int number) {
      return "l%02d".formatted(number);
    }

    void run() {
      int steps = 0;
      while (joined.size() < LOOPS || !trial.queue.entries().isEmpty()) {
        assertThat(++steps).as("it comes to its end").isLessThan(2_000);
        disturb();
        trial.queue.nextAct().ifPresent(this::perform);
      }
      Set<String> landed = new TreeSet<>(trial.landed.stream().map(LoopId::value).toList());
      Set<String> expected = new TreeSet<>(joined);
      expected.removeAll(guilty);
      expected.removeAll(left);
      assertThat(landed).containsAll(expected).noneMatch(guilty::contains);
      assertThat(trial.landed).extracting(LoopId::value).doesNotHaveDuplicates().isSorted();
      assertThat(commits.get(base)).containsAll(landed);
    }

    private void disturb() {
      if (joined.size() < LOOPS && random.nextInt(3) == 0) {
        String name = name(joined.size());
        joined.add(name);
        trial.joins(name);
        commits.put("head-" + name, Set.of(name));
      }
      if (random.nextInt(25) == 0 && !trial.waiting().isEmpty()) {
        String name = trial.waiting().get(random.nextInt(trial.waiting().size()));
        left.add(name);
        trial.leaves(name);
      }
      if (random.nextInt(25) == 0) {
        Set<String> more = new HashSet<>(commits.get(base));
        more.add("stranger-" + ++strangers);
        base = "stranger-" + strangers;
        commits.put(base, more);
      }
    }

    private void perform(QueueAct act) {
      switch (act) {
        case QueueAct.Merge(int number) -> merge(number);
        case QueueAct.Test(int number) -> test(number);
        case QueueAct.Land(int number) -> land(number);
        case QueueAct.EndTest _ -> {}
      }
    }

    private void merge(int number) {
      Set<String> content = new HashSet<>(commits.get(base));
      List<LoopId> members = trial.trial().members();
      int count = random.nextInt(6) == 0 ? 1 + random.nextInt(members.size()) : members.size();
      members.stream().limit(count).forEach(it -> content.add(it.value()));
      String result = content.equals(commits.get(base)) ? base : "merge-" + number;
      commits.put(result, content);
      QueueFact fact = new QueueFact.Merged(number, base, result, members.subList(0, count));
      trial.apply(fact);
      trial.ignored(fact);
    }

    private void test(int number) {
      String result = trial.result();
      Set<String> content = Objects.requireNonNull(commits.get(result));
      boolean red = content.stream().anyMatch(guilty::contains);
      if (!red) {
        tested.add(result);
      }
      QueueFact fact =
          new QueueFact.Tested(
              number,
              red ? new CiVerdict.Red(result, "red") : new CiVerdict.Green(result),
              red
                  ? List.of(ReportedFinding.of(Optional.empty(), 0, Severity.MAJOR, "red", ""))
                  : List.of());
      trial.apply(fact);
      trial.ignored(fact);
    }

    private void land(int number) {
      if (!trial.trial().base().equals(Optional.of(base))) {
        trial.apply(new QueueFact.BaseMoved(number));
        return;
      }
      String result = trial.result();
      assertThat(tested).as("what lands was tested as it is").contains(result);
      base = result;
      boolean crash = random.nextInt(5) == 0;
      if (crash) {
        assertThat(trial.queue.nextAct()).contains(new QueueAct.Land(number));
      }
      trial.apply(new QueueFact.Landed(number, result));
    }
  }
}
