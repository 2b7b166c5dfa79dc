package dev.midcourse.engine.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.LeadAndWorkers;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.ShellGit;
import dev.midcourse.ledger.Log;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is let into a checkout, and who is not. */
class CheckoutsTest extends LeadAndWorkers {
  /**
   * Seen to fail when the transaction that queues a run does not close the work it goes on with:
   * the acceptance took the checkout away from under the second run.
   */
  @Test
  void continuing_work_that_waits_for_review_counts_as_its_review() throws Exception {
    Run first = reviewable("run-1", "jarvis-a");
    Run second = dispatch(continuing("run-2", "jarvis-a"), ONE);
    assertThat(fixture.now(first.id()).state()).isEqualTo(RunState.DONE);
    assertThat(fixture.ledger.log().after(0, Log.Filter.of(first.id()), 1000).entries().getLast())
        .matches(last -> last.kind().equals("run_reviewed"))
        .matches(last -> last.json().contains("continued by run run-2"));
    assertThatThrownBy(() -> fixture.engine().reviews().accept(first.id(), "", ANDY))
        .hasMessageContaining("does not wait for review");
    assertThatThrownBy(() -> fixture.engine().reviews().rework(first.id(), "more", ANDY))
        .hasMessageContaining("does not wait for review");
    assertThat(Path.of(second.spec().workspace())).isDirectory();
  }

  /** Seen to fail when RunService.restart does not ask who has the checkout. */
  @Test
  void a_run_is_not_started_again_in_a_checkout_that_another_has_or_that_was_let_go()
      throws Exception {
    Run first = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    fixture.engine().runs().stop(first.id(), ANDY);
    fixture.awaitState(first.id(), RunState.STOPPED);
    puppet.told.clear();
    Run second = dispatch(task("run-2", "jarvis-a"), ONE);
    assertThat(second.spec().workspace()).isEqualTo(first.spec().workspace());
    assertThatThrownBy(() -> restart(first)).hasMessageContaining("run run-2 uses it");
    assertThatThrownBy(() -> plain(Path.of(first.spec().workspace())))
        .hasMessageContaining("run run-2 uses it");
    begin(1);
    String commit = work(second).commit("App.java", "x");
    puppet.ends(completion("run-2", "jarvis-a", commit, "App.java"));
    fixture.awaitState(second.id(), RunState.REVIEW_REQUESTED);
    assertThatThrownBy(() -> restart(first)).hasMessageContaining("run run-2 uses it");
    fixture.engine().reviews().accept(second.id(), "", ANDY);
    assertThatThrownBy(() -> restart(first)).hasMessageContaining("was removed: dispatch it again");
  }

  /** Seen to fail when only the name of the checkout itself is looked at. */
  @Test
  void a_run_is_not_started_in_a_part_of_anothers_checkout_under_whatever_name() throws Exception {
    Run first = dispatch(task("run-1", "jarvis-a"), ONE);
    Path part = Files.createDirectories(Path.of(first.spec().workspace()).resolve("src"));
    assertThatThrownBy(() -> plain(part)).hasMessageContaining("within the checkouts");
    Path link = Files.createSymbolicLink(folder.resolve("link"), part);
    assertThatThrownBy(() -> plain(link)).hasMessageContaining("within the checkouts");
  }

  /** Seen to fail when the checkout is released although another run has it. */
  @Test
  void a_checkout_is_not_released_while_a_run_works_in_it() throws Exception {
    Run first = reviewable("run-1", "jarvis-a");
    Run stranger = Run.queued(RunId.of("stranger"), first.spec(), Instant.now());
    fixture.ledger.write(tx -> {
      tx.put(stranger);
      return true;
    });
    fixture.engine().reviews().accept(first.id(), "", ANDY);
    assertThat(Path.of(first.spec().workspace())).isDirectory();
  }

  /** Seen to fail when a retry begins where the branch is by then. */
  @Test
  void a_retry_may_answer_with_what_its_first_try_has_committed() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    String commit = work(run).commit("App.java", "class App {}");
    puppet.ends("Done.");
    puppet.awaitMessage("prompt 2: ");
    puppet.begins(2);
    puppet.ends("Done, I said.");
    fixture.awaitState(run.id(), RunState.FAILED_CONTRACT);
    puppet.told.clear();
    dispatch(task("run-1", "jarvis-a"), ONE);
    begin(3);
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    fixture.awaitState(run.id(), RunState.REVIEW_REQUESTED);
  }

  /**
   * Seen to fail when a retry begins at its first start although another run has worked there
   * since.
   */
  @Test
  void a_retry_does_not_answer_for_what_others_have_done_since() throws Exception {
    Run first = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    fixture.engine().runs().stop(first.id(), ANDY);
    fixture.awaitState(first.id(), RunState.STOPPED);
    puppet.told.clear();
    Run second = dispatch(task("run-2", "jarvis-a"), ONE);
    begin(1);
    work(second).commit("Other.java", "class Other {}");
    fixture.engine().runs().stop(second.id(), ANDY);
    fixture.awaitState(second.id(), RunState.STOPPED);
    puppet.told.clear();
    dispatch(task("run-1", "jarvis-a"), ONE);
    begin(2);
    String commit = work(first).commit("App.java", "class App {}");
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    fixture.awaitState(first.id(), RunState.REVIEW_REQUESTED);
  }

  /** Seen to fail when only the marks of one run go, and when nothing is swept. */
  @Test
  void nothing_is_left_of_runs_that_the_ledger_forgot_and_all_of_those_it_knows() throws Exception {
    ShellGit clone = new ShellGit(clones.resolve("acme/shop"));
    Run first = reviewable("run-1", "jarvis-a");
    Run second = dispatch(continuing("run-2", "jarvis-a"), ONE);
    fixture.engine().runs().stop(second.id(), ANDY);
    fixture.awaitState(second.id(), RunState.STOPPED);
    Run other = dispatch(task("run-3", "jarvis-b"), TWO);
    fixture.engine().dispatching().removeUnknownCheckouts();
    assertThat(Path.of(second.spec().workspace())).isDirectory();
    assertThat(clone.call("for-each-ref", "refs/midcourse").lines()).hasSize(3);
    await()
        .until(() -> {
          fixture.ledger.prune(Instant.now());
          return fixture.ledger.read(r -> r.run(second.id())).isEmpty();
        });
    fixture.engine().dispatching().removeUnknownCheckouts();
    assertThat(Path.of(first.spec().workspace())).doesNotExist();
    assertThat(Path.of(other.spec().workspace())).isDirectory();
    assertThat(clone.call("for-each-ref", "--format=%(refname)", "refs/midcourse"))
        .isEqualTo("refs/midcourse/run-3");
    assertThat(clone.call("branch", "--list", "jarvis-a")).contains("jarvis-a");
  }

  private Run restart(Run run) {
    return fixture.engine().runs().restart(run.id(), Optional.empty(), false, ANDY);
  }

  private Run plain(Path dir) {
    RunSpec spec =
        new RunSpec(
            "look around",
            AgentName.of("puppet"),
            TWO,
            dir.toString(),
            ANDY,
            PendingPolicy.ALL,
            3,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return fixture.engine().runs().create(new NewRun(Optional.empty(), spec));
  }
}
