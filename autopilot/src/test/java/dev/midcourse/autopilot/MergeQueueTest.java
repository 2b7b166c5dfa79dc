package dev.midcourse.autopilot;

import static dev.midcourse.autopilot.AutopilotFixture.ANNA;
import static dev.midcourse.autopilot.AutopilotFixture.commits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.loop.CallKind;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.step.LoopCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several loops that land on one branch, with real agents and a real repository. */
class MergeQueueTest {
  private AutopilotFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    fixture = new AutopilotFixture(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Loop lands(String branch) {
    return lands(branch, commits(branch + ".txt", branch));
  }

  /**
   * CI notes each merge that it tests and waits for the gate. It is red if there is a file bad.txt
   * and no file good.txt.
   */
  private Loop lands(String branch, String prompt) {
    String ci =
        """
        case "$PWD" in
          */.merges/*)
            git rev-parse HEAD >> %1$s/merges
            while [ ! -e %1$s/gate ]; do sleep 0.05; done
            test ! -e bad.txt || test -e good.txt;;
        esac
        """
            .formatted(fixture.folder);
    LoopOrder order = fixture.order(prompt, new LoopReviewer.Nobody(), Optional.of(ci));
    return fixture.loops.create(
        new LoopOrder(
            order.prompt(),
            order.repository(),
            order.base(),
            Optional.of(BranchName.of(branch)),
            order.worker(),
            order.agent(),
            order.reviewer(),
            order.ci(),
            order.reviewTimeout(),
            order.ciTimeout(),
            order.budget(),
            true,
            order.forge()),
        ANNA);
  }

  private Loop awaitWaiting(Loop loop) {
    await()
        .until(() ->
            fixture.ledger.read(reading -> reading.loops().queues()).stream()
                .anyMatch(queue -> queue.entry(loop.id()).isPresent()));
    return fixture.now(loop);
  }

  /** A first loop whose merge is being tested, because the base has moved; the gate is closed. */
  private Loop heldAtTheGate() throws IOException {
    Loop first = lands("first", "$ sleep 0.3\n" + commits("first.txt", "x"));
    await().until(() -> fixture.now(first).openWork().isPresent());
    fixture.commit("other.txt", "of another\n");
    awaitWaiting(first);
    await().until(() -> Files.exists(merges()));
    return first;
  }

  private Path merges() {
    return fixture.folder.resolve("merges");
  }

  private void openGate() throws IOException {
    Files.createFile(fixture.folder.resolve("gate"));
  }

  private List<MergeQueue> queues() {
    return fixture.ledger.read(reading -> reading.loops().queues());
  }

  @Test
  void clean_loops_that_wait_are_tested_together_and_land_together() throws Exception {
    Loop first = heldAtTheGate();
    List<Loop> others = List.of(lands("a"), lands("b"), lands("c"));
    others.forEach(this::awaitWaiting);
    assertThat(queues().getFirst().entries()).hasSize(4);
    openGate();
    fixture.awaitPhase(first, LoopPhase.DONE);
    others.forEach(loop -> fixture.awaitPhase(loop, LoopPhase.DONE));
    assertThat(Files.readAllLines(merges())).hasSize(2);
    assertThat(fixture.git("ls-tree --name-only main").lines())
        .contains("first.txt", "a.txt", "b.txt", "c.txt", "other.txt");
    assertThat(fixture.git("rev-parse main")).isEqualTo(Files.readAllLines(merges()).getLast());
    assertThat(fixture.git("status --porcelain")).isEmpty();
    assertThat(queues()).isEmpty();
    await().until(() -> isEmpty(fixture.folder.resolve("loops/.merges")));
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** Seen to fail when the findings of a merge do not reach the fixer. */
  @Test
  void t685_the_loop_that_makes_a_merge_red_is_fixed_and_the_others_land_before_it()
      throws Exception {
    Loop first = heldAtTheGate();
    Loop a = awaitWaiting(lands("a"));
    Loop bad = awaitWaiting(lands("bad"));
    Loop c = awaitWaiting(lands("c"));
    fixture.steer(bad, GuidanceScope.REVIEW, "nothing"); // waits, and changes nothing
    openGate();
    for (Loop loop : List.of(first, a, c)) {
      fixture.awaitPhase(loop, LoopPhase.DONE);
    }
    await().until(() -> fixture.now(bad).count(CallKind.FIX) == 1);
    fixture.awaitParked(bad, ParkReason.CONTRACT);
    assertThat(fixture.git("ls-tree --name-only main").lines())
        .contains("a.txt", "c.txt")
        .doesNotContain("bad.txt");
    fixture.steer(bad, GuidanceScope.FIX, commits("good.txt", "x"));
    fixture.apply(bad, new LoopCommand.Go(ANNA, 1, 0));
    fixture.awaitPhase(bad, LoopPhase.DONE);
    assertThat(fixture.git("ls-tree --name-only main").lines()).contains("bad.txt", "good.txt");
  }

  /** Seen to fail when QueueStep.baseMoved takes the merge for landed. */
  @Test
  void t686_a_base_that_moves_during_the_test_is_tested_again() throws Exception {
    Loop first = heldAtTheGate();
    fixture.commit("later.txt", "of another\n");
    openGate();
    fixture.awaitPhase(first, LoopPhase.DONE);
    List<String> tested = Files.readAllLines(merges());
    assertThat(tested).hasSize(2);
    assertThat(fixture.git("rev-parse main")).isEqualTo(tested.getLast());
    assertThat(fixture.git("ls-tree --name-only main").lines()).contains("first.txt", "later.txt");
  }

  /** Seen to fail when a loop that is stopped stays in its queue. */
  @Test
  void t687_a_loop_that_is_stopped_while_it_waits_does_not_land() throws Exception {
    Loop first = heldAtTheGate();
    Loop other = awaitWaiting(lands("a"));
    fixture.apply(first, new LoopCommand.Stop(ANNA));
    openGate();
    fixture.awaitPhase(other, LoopPhase.DONE);
    assertThat(fixture.git("ls-tree --name-only main").lines())
        .contains("a.txt")
        .doesNotContain("first.txt");
  }

  /** Seen to fail when a loop lands although guidance for a fix waits. */
  @Test
  void t691_guidance_that_comes_while_a_loop_waits_to_land_is_done_first() throws Exception {
    Loop first = heldAtTheGate();
    fixture.steer(first, GuidanceScope.NOW, commits("more.txt", "x"));
    openGate();
    Loop done = fixture.awaitPhase(first, LoopPhase.DONE);
    assertThat(done.count(CallKind.FIX)).isEqualTo(1);
    assertThat(fixture.git("ls-tree --name-only main").lines()).contains("first.txt", "more.txt");
  }

  /**
   * The hub ends at any moment: every loop lands once, and what is on the base was tested. Seen to
   * fail when a queue is resumed neither at the start nor by the loops that wait in it.
   */
  @Test
  void t690_a_hub_that_ends_while_loops_land_goes_on() throws Exception {
    RandomGenerator random = RandomGenerator.getDefault();
    Loop first = heldAtTheGate();
    List<Loop> loops = List.of(first, lands("a"), lands("b"));
    loops.forEach(this::awaitWaiting);
    openGate();
    for (int i = 0; i < 8 && !queues().isEmpty(); i++) {
      long until = System.nanoTime() + random.nextLong(300_000_000L);
      await().until(() -> System.nanoTime() > until);
      fixture.restartHub();
    }
    loops.forEach(loop -> fixture.awaitPhase(loop, LoopPhase.DONE));
    assertThat(fixture.git("ls-tree --name-only main").lines())
        .contains("first.txt", "a.txt", "b.txt");
    assertThat(Files.readAllLines(merges())).contains(fixture.git("rev-parse main"));
    assertThat(fixture.git("status --porcelain")).isEmpty();
  }
}
