package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.Log;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Dispatches and completions with a real git and a scripted agent. */
class DispatchServiceTest extends LeadAndWorkers {
  @Test
  void a_run_works_in_a_checkout_of_its_own_and_ends_in_review_when_its_completion_holds()
      throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    String opening = begin(1);
    assertThat(opening).contains("Task run-1 (implement)", "<completion>", "- mvn test");
    assertThat(run.spec().workspace()).isNotEqualTo(clones.resolve("acme/shop").toString());
    String commit = work(run).commit("App.java", "class App {}");
    puppet.ends("Done.\n" + completion("run-1", "jarvis-a", commit, "App.java"));
    Run ended = fixture.awaitState(run.id(), RunState.REVIEW_REQUESTED);
    assertThat(ended.needs()).contains(new Need.Review());
    await().until(() -> fixture.kinds(run.id()).contains("completion_accepted"));
    assertThat(fixture.engine().reviews().diff(run.id()).orElseThrow().text())
        .contains("+class App {}");
  }

  @Test
  void the_same_key_and_content_is_the_same_run_also_when_the_run_has_ended() {
    Optional<IdempotencyKey> key = Optional.of(IdempotencyKey.of("k"));
    JsonValue.Obj task = task("run-1", "jarvis-a");
    Run run = dispatch(task, ONE, key);
    assertThat(dispatch(reversed(task), ONE, key).id()).isEqualTo(run.id());
    fixture.engine().runs().stop(run.id(), ANDY);
    fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(dispatch(task, ONE, key).state()).isEqualTo(RunState.STOPPED);
    assertThat(dispatch(task, ONE, Optional.of(IdempotencyKey.of("l"))).state())
        .isEqualTo(RunState.QUEUED);
  }

  /** Seen to fail when only the run of the key is compared. */
  @Test
  void the_same_key_with_other_content_is_a_conflict_and_stores_nothing() {
    Optional<IdempotencyKey> key = Optional.of(IdempotencyKey.of("k"));
    dispatch(task("run-1", "jarvis-a"), ONE, key);
    assertThatThrownBy(
            () -> dispatch(task("run-1", "jarvis-a").with("input", "Write another app."), ONE, key))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("the key was used before for run run-1 with other content")
        .satisfies(thrown ->
            assertThat(((RefusedException) thrown).problem().code()).isEqualTo(Code.KEY_CONFLICT));
    assertThatThrownBy(() -> dispatch(task("run-2", "jarvis-b"), ONE, key))
        .hasMessageContaining("the key was used before for run run-1");
    assertThat(fixture.ledger.<Optional<Run>>read(r -> r.run(RunId.of("run-2")))).isEmpty();
  }

  /** A key of an earlier version has no digest: the dispatch of its run is compared. */
  @Test
  void a_key_without_a_digest_is_compared_with_the_dispatch_of_its_run() {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    fixture.ledger.write(tx -> {
      tx.put(new DispatchKey(ANDY.group(), IdempotencyKey.of("old"), run.id(), Optional.empty()));
      return true;
    });
    Optional<IdempotencyKey> key = Optional.of(IdempotencyKey.of("old"));
    assertThat(dispatch(task("run-1", "jarvis-a"), ONE, key).id()).isEqualTo(run.id());
    assertThatThrownBy(() -> dispatch(task("run-1", "jarvis-b"), ONE, key))
        .hasMessageContaining("with other content");
  }

  private static JsonValue.Obj reversed(JsonValue.Obj value) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    new ArrayList<>(value.fields().keySet())
        .reversed()
        .forEach(name -> fields.put(name, value.get(name).orElseThrow()));
    return new JsonValue.Obj(fields);
  }

  @Test
  void accepted_work_is_done_its_checkout_is_let_go_and_its_branch_stays() throws Exception {
    Run run = reviewable("run-1", "jarvis-a");
    fixture.engine().reviews().accept(run.id(), "good", ANDY);
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.DONE);
    assertThat(Path.of(run.spec().workspace())).doesNotExist();
    assertThat(new ShellGit(clones.resolve("acme/shop")).call("branch", "--list", "jarvis-a"))
        .contains("jarvis-a");
  }

  /** Seen to fail when what git says after the commit reaches the reviewer. */
  @Test
  void accepted_work_is_done_also_when_its_checkout_cannot_be_let_go_and_that_is_done_later()
      throws Exception {
    Run run = reviewable("run-1", "jarvis-a");
    Path workspace = Path.of(run.spec().workspace());
    work(run).call("worktree", "lock", "--reason", "somebody looks at it", workspace.toString());
    assertThat(fixture.engine().reviews().accept(run.id(), "good", ANDY).state())
        .isEqualTo(RunState.DONE);
    assertThat(workspace).exists();
    work(run).call("worktree", "unlock", workspace.toString());
    fixture.engine().reviews().tidy();
    assertThat(workspace).doesNotExist();
  }

  /** Seen to fail when a checkout is let go without a look at who has it now. */
  @Test
  void a_checkout_that_stayed_is_kept_while_another_run_works_in_it() throws Exception {
    Run run = reviewable("run-1", "jarvis-a");
    work(run).call("worktree", "lock", run.spec().workspace());
    fixture.engine().reviews().accept(run.id(), "good", ANDY);
    work(run).call("worktree", "unlock", run.spec().workspace());
    Run next = dispatch(task("run-2", "jarvis-a"), TWO);
    assertThat(next.spec().workspace()).isEqualTo(run.spec().workspace());
    fixture.engine().reviews().tidy();
    assertThat(Path.of(next.spec().workspace())).exists();
  }

  /** Seen to fail when the checkout is handed on before the run is known to wait for review. */
  @Test
  void a_rework_that_is_refused_leaves_nothing_in_the_repository() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    assertThatThrownBy(() -> fixture.engine().reviews().rework(run.id(), "again", ANDY))
        .hasMessageContaining("does not wait for review");
    assertThat(work(run).call("for-each-ref", "--format=%(refname)", "refs/midcourse"))
        .isEqualTo("refs/midcourse/run-1");
  }

  @Test
  void reworked_work_becomes_a_run_with_a_parent_in_the_same_session_and_checkout()
      throws Exception {
    Run run = reviewable("run-1", "jarvis-a");
    Run rework = fixture.engine().reviews().rework(run.id(), "Name it Shop.", ANDY);
    assertThat(rework.spec().parent()).contains(run.id());
    assertThat(rework.spec().workspace()).isEqualTo(run.spec().workspace());
    assertThat(rework.spec().session()).contains(SessionId.of("session-1"));
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.DONE);
    await().until(() -> puppet.starts.size() == 2);
    assertThat(puppet.awaitMessage("prompt 1: Your work")).contains("Name it Shop.");
    puppet.begins(1);
    String commit = work(rework).commit("Shop.java", "class Shop {}");
    puppet.ends(
        completion(rework.id().value(), "jarvis-a", commit, "Shop.java")
            .replace("\"risk\"", "\"session_id\":\"session-1\",\"risk\""));
    fixture.awaitState(rework.id(), RunState.REVIEW_REQUESTED);
    assertThatThrownBy(() -> fixture.engine().reviews().rework(run.id(), "again", ANDY))
        .hasMessageContaining("does not wait for review");
    fixture.engine().reviews().accept(rework.id(), "", ANDY);
    assertThat(new ShellGit(clones.resolve("acme/shop")).call("for-each-ref", "refs/midcourse"))
        .as("marks that are left")
        .isEmpty();
  }

  @Test
  void a_completion_that_does_not_hold_gets_one_turn_that_names_what_is_missing_and_no_second()
      throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    puppet.ends("I am done.");
    assertThat(puppet.awaitMessage("prompt 2: ")).contains("completion", "Fix this");
    puppet.begins(2);
    puppet.ends(completion("run-1", "jarvis-a", "abcdef123", "App.java"));
    Run failed = fixture.awaitState(run.id(), RunState.FAILED_CONTRACT);
    assertThat(failed.result().orElseThrow()).contains("there is no commit abcdef123");
    assertThat(puppet.countMessages("prompt 3")).isZero();
  }

  /**
   * Seen to fail when the end of a run does not check the git files of its checkout, and when the
   * refusal of a diff does not name the run to repair.
   */
  @Test
  void a_tampered_clone_is_in_the_log_of_the_run_and_a_repair_makes_it_usable() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    Path tampered = clones.resolve("acme/shop/.git/commondir");
    Files.writeString(tampered, folder + "\n");
    fixture.engine().runs().stop(run.id(), ANDY);
    fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(fixture.ledger.log().after(0, Log.Filter.of(run.id()), 1000).entries())
        .anyMatch(entry ->
            entry.json().contains(tampered + " was tampered with")
                && entry.json().contains("midcourse repair run-1"));
    assertThatThrownBy(() -> fixture.engine().reviews().diff(run.id()))
        .hasMessageContaining(tampered + " was tampered with")
        .hasMessageContaining("midcourse repair run-1");
    assertThatThrownBy(() -> dispatch(task("run-2", "jarvis-b"), ONE))
        .hasMessageContaining(tampered + " was tampered with");
    assertThat(fixture.engine().dispatching().repair(run.id(), clones)).hasSize(1);
    assertThat(tampered).doesNotExist();
    assertThat(fixture.engine().reviews().diff(run.id())).isPresent();
    assertThat(dispatch(task("run-2", "jarvis-b"), ONE).state()).isEqualTo(RunState.QUEUED);
  }

  /** Seen to fail when the check of an earlier turn is recorded at the end of the run. */
  @Test
  void a_turn_that_failed_adds_no_verdict_about_an_earlier_completion() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    puppet.ends("I am done.");
    begin(2);
    puppet.says(new AgentEvent.TurnEnded(AgentEvent.TurnEnd.ERROR, "", "the model refused"));
    fixture.awaitState(run.id(), RunState.FAILED);
    assertThat(fixture.kinds(run.id())).filteredOn("completion_rejected"::equals).hasSize(1);
  }

  /** Seen to fail when a turn counts as the task's because its message contains the prompt. */
  @Test
  void a_follow_up_that_quotes_the_task_gives_no_second_turn_to_repair() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    puppet.ends("I am done.");
    puppet.awaitMessage("prompt 2: ");
    puppet.begins(2);
    fixture.steer(run, run.spec().prompt(), SteerMode.FOLLOW_UP);
    puppet.ends("I am done.");
    puppet.awaitMessage("prompt 3: ");
    puppet.begins(3);
    puppet.ends("I am done.");
    fixture.awaitState(run.id(), RunState.FAILED_CONTRACT);
    assertThat(puppet.countMessages("prompt 4")).isZero();
  }

  @Test
  void a_corrected_completion_is_accepted_like_any_other() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    String commit = work(run).commit("App.java", "class App {}");
    Files.writeString(Path.of(run.spec().workspace()).resolve("left.txt"), "not committed");
    puppet.ends(completion("run-1", "jarvis-a", commit, "Other.java"));
    String repair = puppet.awaitMessage("prompt 2: ");
    assertThat(repair)
        .contains("changed but not listed: \"App.java\"")
        .contains("listed but not changed: \"Other.java\"")
        .contains("uncommitted");
    puppet.begins(2);
    Files.delete(Path.of(run.spec().workspace()).resolve("left.txt"));
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    fixture.awaitState(run.id(), RunState.REVIEW_REQUESTED);
  }

  /** Seen to fail when a commit that others follow is taken for the work. */
  @Test
  void a_commit_that_others_follow_is_not_the_work() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    String named = work(run).commit("App.java", "class App {}");
    String last = work(run).commit("Hidden.java", "class Hidden {}");
    puppet.ends(completion("run-1", "jarvis-a", named, "App.java"));
    assertThat(puppet.awaitMessage("prompt 2: ")).contains("is not the last on jarvis-a");
    puppet.begins(2);
    puppet.ends(completion("run-1", "jarvis-a", last, "App.java"));
    Run failed = fixture.awaitState(run.id(), RunState.FAILED_CONTRACT);
    assertThat(failed.result().orElseThrow()).contains("changed but not listed: \"Hidden.java\"");
  }

  /** Seen to fail when Checkout.inspect calls every commit the last of the branch. */
  @Test
  void work_on_another_branch_is_not_taken_for_work_on_the_dispatchs_own() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    work(run).call("checkout", "-q", "-b", "elsewhere");
    String commit = work(run).commit("App.java", "class App {}");
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    assertThat(puppet.awaitMessage("prompt 2: "))
        .contains("the workspace is on \"elsewhere\", not on jarvis-a")
        .contains("is not the last on jarvis-a");
    puppet.begins(2);
    puppet.ends("I like it there.");
    fixture.awaitState(run.id(), RunState.FAILED_CONTRACT);
    assertThat(dispatch(task("run-1", "jarvis-a"), ONE).state())
        .as("another try")
        .isEqualTo(RunState.QUEUED);
  }

  /** Would fail if anything but the final answer were searched for the block. */
  @Test
  void a_completion_that_came_in_with_a_steer_counts_only_once_the_worker_gives_it_as_its_answer()
      throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    String commit = work(run).commit("App.java", "class App {}");
    String dictated = completion("run-1", "jarvis-a", commit, "App.java");
    SteerId steer = steer(run, dictated).steerId();
    puppet.awaitMessage("steer " + steer);
    puppet.says(
        new AgentEvent.SteerAccepted(steer, "queued"),
        new AgentEvent.SteerInjected(steer, dictated),
        new AgentEvent.Said("I was told: " + dictated));
    puppet.ends("I am done.");
    assertThat(puppet.awaitMessage("prompt 2: ")).contains("Fix this");
    assertThat(fixture.now(run.id()).state()).isEqualTo(RunState.RUNNING);
    puppet.begins(2);
    puppet.ends("As I was told: " + dictated);
    fixture.awaitState(run.id(), RunState.REVIEW_REQUESTED);
  }

  @Test
  void a_run_id_is_refused_while_live_and_after_a_good_end_and_free_after_a_failure()
      throws Exception {
    Run run = reviewable("run-1", "jarvis-a");
    assertThatThrownBy(() -> dispatch(task("run-1", "jarvis-b"), ONE))
        .hasMessageContaining("run-1 is review_requested already");
    fixture.engine().reviews().accept(run.id(), "", ANDY);
    assertThatThrownBy(() -> dispatch(task("run-1", "jarvis-b"), ONE))
        .hasMessageContaining("is done already");
    Run stopped = dispatch(task("run-2", "jarvis-b"), ONE);
    assertThatThrownBy(() -> dispatch(task("run-2", "jarvis-b"), ONE))
        .hasMessageContaining("already");
    fixture.engine().runs().stop(stopped.id(), ANDY);
    fixture.awaitState(stopped.id(), RunState.STOPPED);
    assertThat(dispatch(task("run-2", "jarvis-b"), ONE).state()).isEqualTo(RunState.QUEUED);
  }

  /** Seen to fail when RunTermination.end leaves the steers of the earlier try open. */
  @Test
  void t26_a_retry_on_another_worker_gets_its_own_steers_and_none_of_an_earlier_try()
      throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    Receipt old = steer(run, "for the first try");
    puppet.awaitMessage("steer " + old.steerId());
    fixture.engine().runs().stop(run.id(), ANDY);
    fixture.awaitState(run.id(), RunState.STOPPED);
    assertThat(fixture.receipt(old.steerId()).ended()).contains(SteerEnd.EXPIRED);
    puppet.told.clear();
    Run again = dispatch(task("run-1", "jarvis-a"), TWO);
    assertThat(again.spec().worker()).isEqualTo(TWO);
    assertThat(again.progress()).isEmpty();
    begin(2);
    Receipt now = steer(run, "for the second try");
    assertThat(puppet.awaitMessage("steer " + now.steerId())).contains("for the second try");
    assertThat(puppet.countMessages("for the first try")).isZero();
  }

  @Test
  void no_two_live_runs_ever_share_a_branch_and_work_under_review_is_left_alone() throws Exception {
    Run first = dispatch(task("run-1", "jarvis-a"), ONE);
    assertThatThrownBy(() -> dispatch(task("run-2", "jarvis-a"), TWO))
        .hasMessageContaining("branch jarvis-a is taken: run run-1");
    begin(1);
    String commit = work(first).commit("App.java", "x");
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    fixture.awaitState(first.id(), RunState.REVIEW_REQUESTED);
    assertThatThrownBy(() -> dispatch(task("run-2", "jarvis-a"), TWO))
        .hasMessageContaining("run-1 uses it and is review_requested");
  }

  @Test
  void to_continue_needs_a_session_of_the_same_worker_repo_and_branch() throws Exception {
    JsonValue.Obj goOn = continuing("run-2", "jarvis-a");
    assertThatThrownBy(() -> dispatch(goOn, ONE)).hasMessageContaining("has no session");
    Run first = reviewable("run-1", "jarvis-a");
    assertThatThrownBy(() -> dispatch(goOn, TWO)).hasMessageContaining("has no session");
    assertThatThrownBy(() -> dispatch(goOn.with("session_id", JsonValue.of("session-1")), TWO))
        .hasMessageContaining("the session belongs to jarvis-worker-1");
    assertThatThrownBy(() -> dispatch(goOn.with("session_id", JsonValue.of("unheard-of")), ONE))
        .hasMessageContaining("no run has session unheard-of");
    Run second = dispatch(goOn, ONE);
    assertThat(second.spec().session()).contains(SessionId.of("session-1"));
    assertThat(second.spec().workspace()).isEqualTo(first.spec().workspace());
    await().until(() -> puppet.starts.size() == 2);
    assertThat(puppet.starts.get(1).resume()).contains(SessionId.of("session-1"));
  }

  @Test
  void a_repository_that_is_not_there_and_an_unknown_base_are_refused_and_leave_nothing() {
    assertThatThrownBy(
            () -> dispatch(task("run-1", "jarvis-a").with("repo", JsonValue.of("acme/none")), ONE))
        .hasMessageContaining("no clone of acme/none");
    assertThatThrownBy(() ->
            dispatch(task("run-1", "jarvis-a").with("base_branch", JsonValue.of("nowhere")), ONE))
        .hasMessageContaining("there is no branch nowhere");
    assertThat(fixture.ledger.<Optional<Run>>read(r -> r.run(RunId.of("run-1")))).isEmpty();
  }

  /** Seen to fail when Notices does not tell of the end, and when not of injected steers. */
  @Test
  void t24_the_lead_is_notified_of_start_progress_injected_steers_and_the_end() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    await().until(() -> notices.stream().anyMatch(it -> it.line().contains("turn 1 started")));
    SteerId steer = steer(run, "with tabs").steerId();
    puppet.awaitMessage("steer " + steer);
    puppet.says(new AgentEvent.SteerInjected(steer, "echo"));
    String commit = work(run).commit("App.java", "class App {}");
    puppet.ends(completion("run-1", "jarvis-a", commit, "App.java"));
    await().until(() -> notices.stream().anyMatch(n -> n.sign() == Notice.Sign.ENDED));
    assertThat(notices).allMatch(notice -> notice.to().equals(ANDY.group()));
    assertThat(notices)
        .extracting(Notice::line)
        .startsWith("[run-1] ▶ run-1 started")
        .contains("[run-1] ↻ turn 1 started", "[run-1] ↗ steer " + steer + " injected");
    assertThat(notices.getLast().line()).startsWith("[run-1] ■ review_requested");
    assertThat(run.spec().author()).isEqualTo(ANDY);
  }

  /** Would fail if notices began with what happens after the hub is up. */
  @Test
  void notices_that_were_due_at_a_shutdown_are_sent_once_by_the_next_hub() throws Exception {
    Run run = dispatch(task("run-1", "jarvis-a"), ONE);
    begin(1);
    await().until(() -> notices.stream().anyMatch(n -> n.sign() == Notice.Sign.STARTED));
    fixture.engine().close();
    fixture.ledger.write(tx -> {
      tx.append(run.id(), Instant.now(), new RunEvent.Quiet(1, "said nothing for long"));
      return true;
    });
    fixture.restartHub();
    fixture.engine().notices().add(notices::add);
    await().until(() -> notices.stream().anyMatch(n -> n.sign() == Notice.Sign.QUIET));
    assertThat(notices.stream().filter(n -> n.sign() == Notice.Sign.STARTED)).hasSize(1);
  }
}
