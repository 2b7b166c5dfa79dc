package dev.midcourse.core.loop;

import static dev.midcourse.core.loop.ForgeTrial.ORDER;
import static dev.midcourse.core.loop.ForgeTrial.US;
import static dev.midcourse.core.loop.ForgeTrial.checking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Samples;
import dev.midcourse.core.Transition;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.finding.FindingState;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a loop does next when its change is at a forge. */
class ForgeStepTest {
  private static final String OLD = "0".repeat(40);
  private static final String COPILOT = "copilot-pull-request-reviewer[bot]";

  // ---- the way to the forge

  @Test
  void a_first_commit_is_pushed_and_opened_and_the_reviewer_is_asked() {
    ForgeTrial it = checking("@anna");
    assertThat(it.written(ForgeAct.Open.class))
        .singleElement()
        .satisfies(open -> {
          assertThat(open.title()).isEqualTo("Fix the login.");
          assertThat(open.branch()).isEqualTo("fix-login");
          assertThat(open.base()).isEqualTo("main");
        });
    assertThat(it.written(ForgeAct.RequestReview.class))
        .extracting("head")
        .containsExactly(it.head);
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.green().approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.trial.loop.isReviewed()).isTrue();
    assertThat(it.trial.loop.forge().orElseThrow().change().orElseThrow().url())
        .contains("/pull/7");
  }

  @Test
  void own_ci_runs_before_the_push_and_a_red_one_is_fixed_first() {
    ForgeTrial it = checking("@anna", Optional.of("make test"), false);
    assertThat(it.phase()).isEqualTo(LoopPhase.VERIFY);
    it.trial.red("LoginTest fails");
    it.settleActs();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    assertThat(it.written).isEmpty();
    it.trial.works();
    it.trial.green();
    it.settleActs();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    assertThat(it.written(ForgeAct.Open.class)).hasSize(1);
  }

  /** Seen to fail when a push that is refused as no fast-forward is tried again with force. */
  @Test
  void t655_a_push_that_somebody_was_ahead_of_parks_and_is_never_forced() {
    ForgeTrial it = new ForgeTrial(LoopTrial.atForge("none", Optional.empty(), ORDER, false));
    it.prepared();
    it.trial.works();
    it.trial.apply(new LoopFact.NotPushed(LoopFact.NotPushed.Reason.FOREIGN, "fetch first"));
    assertThat(it.trial.parked()).isEqualTo(ParkReason.FOREIGN_CHANGE);
    assertThat(it.trial.acts).isEmpty();
  }

  /** Seen to fail when a look in a fix does not compare the head. */
  @Test
  void t655_a_foreign_push_during_a_fix_ends_the_agent_and_asks() {
    ForgeTrial it = checking("@anna");
    it.thread("t1", "anna", "Null check is missing", false).green();
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    it.head = "f".repeat(40);
    it.trial.apply(new LoopFact.ForgeRead(it.snapshot(), it.trial.now));
    assertThat(it.trial.parked()).isEqualTo(ParkReason.FOREIGN_CHANGE);
    assertThat(it.trial.acts).hasAtLeastOneElementOfType(LoopAct.EndRun.class);
    it.trial.go();
    assertThat(it.trial.acts).containsExactly(new LoopAct.TakeRemote());
    it.trial.apply(new LoopFact.RemoteTaken(LoopTrial.state(it.head), it.head));
    it.settleActs();
    assertThat(it.trial.head()).isEqualTo(it.head);
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
  }

  // ---- verdicts

  /** Seen to fail when the newest review counts, whatever it looked at. */
  @Test
  void t654_an_approval_of_an_older_commit_does_not_count() {
    ForgeTrial it = checking("@anna");
    it.green().review("anna", false, RemoteReview.State.APPROVED, OLD, "").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  /** Seen to fail when every text of the reviewer is a finding, or none is looked for a notice. */
  @Test
  void t652_a_reviewer_without_quota_is_unavailable_and_neither_clean_nor_a_finding() {
    ForgeTrial it = checking("@copilot");
    it.green().says(COPILOT, true, "You have exceeded your premium request quota.").look();
    assertThat(it.trial.parked()).isEqualTo(ParkReason.UNAVAILABLE);
    assertThat(it.trial.loop.findings().all()).isEmpty();
    ForgeTrial other = checking("@copilot");
    other
        .green()
        .review(
            COPILOT,
            true,
            RemoteReview.State.COMMENTED,
            other.head,
            "Copilot wasn't able to review this pull request because the quota limit was reached")
        .look();
    assertThat(other.trial.parked()).isEqualTo(ParkReason.UNAVAILABLE);
  }

  /** Seen to fail when the answer to the request is taken for the request. */
  @Test
  void t653_a_request_that_the_forge_does_not_show_is_unavailable_after_a_while() {
    ForgeTrial it = checking("@copilot");
    it.requested.clear();
    it.green().look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.trial.later(Duration.ofMinutes(2));
    it.look();
    assertThat(it.trial.parked()).isEqualTo(ParkReason.UNAVAILABLE);
    it.trial.go();
    it.settleActs();
    assertThat(it.written(ForgeAct.RequestReview.class)).as("asked again").hasSize(2);
    it.look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
  }

  @Test
  void copilot_always_comments_and_is_clean_when_it_has_no_thread_about_this_commit() {
    ForgeTrial it = checking("@copilot");
    it.green()
        .review(COPILOT, true, RemoteReview.State.COMMENTED, it.head, "## Pull request overview\n…")
        .look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  /** Seen to fail when only threads are read. */
  @Test
  void t660_findings_in_the_body_of_a_review_and_in_comments_of_reviewers_count() {
    ForgeTrial it = checking("@anna");
    it.green()
        .review("anna", false, RemoteReview.State.COMMENTED, it.head, "The loop never ends.")
        .says("bob", false, "a passer-by")
        .says("anna", false, "And the name is wrong.")
        .look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    assertThat(it.trial.loop.findings().all())
        .extracting("title")
        .containsExactlyInAnyOrder("The loop never ends.", "And the name is wrong.");
    it.works("fixed", "it ends now");
    assertThat(it.written(ForgeAct.Comment.class))
        .singleElement()
        .satisfies(answer -> assertThat(answer.body()).contains("it ends now"));
    it.approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  /** Seen to fail when outdated threads are left out. */
  @Test
  void t659_an_outdated_thread_that_nobody_resolved_is_open() {
    ForgeTrial it = checking("@anna");
    it.green().thread("t1", "bob", "This leaks", true).approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
  }

  /** Seen to fail when RemoteRemarks.open returns the first hundred. */
  @Test
  void t658_all_of_many_threads_and_comments_are_given_to_the_fixer() {
    ForgeTrial it = checking("@anna").green();
    for (int i = 0; i < 101; i++) {
      it.thread("t" + i, "anna", "Remark " + i, false);
    }
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    assertThat(it.trial.loop.openWork().orElseThrow().given()).hasSize(101);
  }

  /** Seen to fail when an incomplete snapshot is judged. */
  @Test
  void an_incomplete_look_is_never_clean() {
    ForgeTrial it = checking("@anna");
    it.incomplete = Optional.of("page 2 of the threads failed");
    it.green().approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.incomplete = Optional.empty();
    it.look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  // ---- checks

  /** Seen to fail when an empty list of checks is green. */
  @Test
  void t663_no_check_is_not_green_and_is_named_after_a_time_of_grace() {
    ForgeTrial it = checking("@anna");
    it.approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.trial.later(Duration.ofMinutes(6));
    it.look();
    assertThat(it.trial.parked()).isEqualTo(ParkReason.UNAVAILABLE);
    assertThat(it.trial.loop.parking().orElseThrow().question()).contains("no CI reported");
    it.trial.apply(new LoopCommand.Skip(Samples.ANNA));
    it.settleActs();
    it.look();
    assertThat(it.trial.loop.result()).contains("skipped by");
  }

  @Test
  void without_a_check_the_own_ci_of_the_loop_decides() {
    ForgeTrial it = checking("@anna", Optional.of("make test"), false);
    it.trial.green();
    it.settleActs().approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.trial.later(Duration.ofMinutes(6));
    it.look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.trial.news).anyMatch(text -> text.contains("no CI reported"));
  }

  /** Seen to fail when the first result of a check counts. */
  @Test
  void t664_a_check_that_was_red_and_is_green_now_is_green() {
    ForgeTrial it = checking("@anna");
    it.check("lint", RemoteCheck.State.RUNNING).check("build", RemoteCheck.State.FAILURE).look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.check("lint", RemoteCheck.State.SUCCESS).check("build", RemoteCheck.State.RUNNING).look();
    it.check("build", RemoteCheck.State.SUCCESS).approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.trial.loop.findings().all()).isEmpty();
  }

  @Test
  void a_red_check_is_a_finding_and_a_cancelled_one_is_no_result() {
    ForgeTrial it = checking("none");
    it.check("build", RemoteCheck.State.FAILURE).look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    assertThat(it.trial.promptOfWork()).contains("Check failed: build");
    ForgeTrial other = checking("none");
    other.check("build", RemoteCheck.State.CANCELLED).look();
    assertThat(other.trial.parked()).isEqualTo(ParkReason.UNAVAILABLE);
  }

  // ---- answers

  /** Seen to fail when the time at which a look began is not compared. */
  @Test
  void a_look_that_began_before_the_answers_were_written_raises_no_thread_again() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "Null check is missing", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    List<ReviewThread> unanswered = List.copyOf(it.threads);
    Instant begun = it.trial.now;
    it.trial.later(Duration.ofSeconds(3));
    it.works("fixed", "checked").green();
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "");
    List<ReviewThread> answered = List.copyOf(it.threads);
    it.threads.clear();
    it.threads.addAll(unanswered);
    LoopFact late = new LoopFact.ForgeRead(it.snapshot(), begun);
    if (it.trial.attempt(late) instanceof Transition.Changed<?>) {
      it.trial.apply(late);
    }
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.threads.clear();
    it.threads.addAll(answered);
    it.approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  /** Seen to fail when a disputed thread is resolved, and when a thread is answered twice. */
  @Test
  void each_thread_gets_one_answer_with_a_reason_and_only_a_fixed_one_is_resolved() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "Null check is missing", false).thread("t2", "anna", "Rename", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.trial.works(
        "<answers>{\"findings\":[{\"id\":\"F1\",\"answer\":\"fixed\",\"why\":\"checked\"},"
            + "{\"id\":\"F2\",\"answer\":\"disputed\",\"why\":\"the name is public\"}]}</answers>");
    it.settleActs();
    assertThat(it.written(ForgeAct.Reply.class))
        .extracting(ForgeAct.Reply::thread)
        .containsExactly("t1", "t2");
    assertThat(it.written(ForgeAct.Reply.class).getLast().body()).contains("the name is public");
    assertThat(it.written(ForgeAct.Resolve.class)).extracting("thread").containsExactly("t1");
    it.look().look();
    assertThat(it.written(ForgeAct.Reply.class)).hasSize(2);
    it.thread("t3", "anna", "A typing error", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.works("fixed", "corrected");
    assertThat(it.written(ForgeAct.Reply.class))
        .extracting(ForgeAct.Reply::thread)
        .containsExactly("t1", "t2", "t3");
    it.approvedBy("anna").look();
    assertThat(it.trial.parked()).as("the disputed thread is open").isEqualTo(ParkReason.DISPUTE);
    it.trial.apply(
        new LoopCommand.Decide(
            Samples.ANNA, it.trial.nextSteer(), LoopTrial.id(2), FindingDecision.DROP, "public"));
    it.trial.go();
    it.settleActs().look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.written(ForgeAct.Reply.class)).hasSize(3);
  }

  /** Seen to fail when JudgeRules.judgeWaiting does not ask about a disputed finding. */
  @Test
  void t665_when_all_is_disputed_without_a_commit_a_person_decides() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "Rename it", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.trial.workEnds(it.trial.answers("disputed", "it is public"), LoopTrial.state(it.head));
    it.settleActs().look();
    assertThat(it.trial.parked()).isEqualTo(ParkReason.DISPUTE);
    assertThat(it.trial.loop.count(CallKind.FIX)).isEqualTo(1);
  }

  @Test
  void a_word_of_the_reviewer_after_our_answer_raises_the_finding_again() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "Null check is missing", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.trial.workEnds(it.trial.answers("disputed", "never null"), LoopTrial.state(it.head));
    it.settleActs();
    it.reply("t1", "anna", "It is, in line 12");
    it.look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    assertThat(it.trial.loop.findings().all().getFirst().upheld()).isEqualTo(1);
    assertThat(it.trial.promptOfWork()).contains("It is, in line 12");
    it.works("fixed", "checked");
    assertThat(it.written(ForgeAct.Reply.class)).hasSize(2);
  }

  /** Seen to fail when the login of an author is not compared with ours. */
  @Test
  void t662_what_the_loop_itself_has_written_never_wakes_it() {
    ForgeTrial it = checking("@anna").green().approvedBy("anna");
    it.says(US, true, "Please fix all of this").thread("t9", US, "a note of ours", false);
    it.review(US, true, RemoteReview.State.CHANGES_REQUESTED, it.head, "no").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
  }

  @Test
  void a_fixed_thread_that_cannot_be_resolved_waits_for_its_author_until_the_deadline() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "Null check is missing", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.works("fixed", "checked");
    it.threads.replaceAll(thread ->
        new dev.midcourse.core.loop.forge.ReviewThread(
            thread.id(), thread.path(), 3, false, false, thread.comments()));
    it.approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.trial.later(Duration.ofHours(2)).apply(new LoopFact.TimePassed());
    assertThat(it.trial.parked()).isEqualTo(ParkReason.DEADLINE);
  }

  // ---- the change

  /** Seen to fail when the state of the change is looked at only while checks are waited for. */
  @Test
  void t657_a_change_that_is_closed_merged_or_retargeted_is_a_state_in_every_phase() {
    for (LoopPhase phase : List.of(LoopPhase.CHECK, LoopPhase.FIX)) {
      ForgeTrial closed = at(phase);
      closed.state = ChangeSnapshot.State.CLOSED;
      closed.look();
      assertThat(closed.trial.parked()).isEqualTo(ParkReason.CHANGE_CLOSED);
      assertThat(closed.trial.loop.openCalls()).isEmpty();

      ForgeTrial merged = at(phase);
      merged.state = ChangeSnapshot.State.MERGED;
      merged.look();
      assertThat(merged.phase()).isEqualTo(LoopPhase.STOPPED);
      assertThat(merged.trial.loop.result()).contains("somebody merged");

      ForgeTrial retargeted = at(phase);
      retargeted.base = "release";
      retargeted.look();
      assertThat(retargeted.trial.parked()).isEqualTo(ParkReason.RETARGETED);
      retargeted.trial.go();
      assertThat(retargeted.trial.loop.forge().orElseThrow().base()).isEqualTo("release");
    }
    ForgeTrial gone = at(LoopPhase.CHECK);
    gone.trial.apply(new LoopFact.ForgeFailed(new ForgeError.NotFound("no such change")));
    assertThat(gone.trial.parked()).isEqualTo(ParkReason.CHANGE_CLOSED);
  }

  private static ForgeTrial at(LoopPhase phase) {
    ForgeTrial it = checking("@anna");
    if (phase == LoopPhase.FIX) {
      it.green().thread("t1", "anna", "wrong", false);
      it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    }
    assertThat(it.phase()).isEqualTo(phase);
    return it;
  }

  /** Seen to fail when a wait that was parked begins anew. */
  @Test
  void t651_a_token_that_expires_in_a_wait_parks_the_loop_and_keeps_the_wait() {
    ForgeTrial it = checking("@anna");
    int round = it.trial.loop.round();
    it.trial.apply(new LoopFact.ForgeFailed(new ForgeError.Unauthorized("bad credentials")));
    assertThat(it.trial.parked()).isEqualTo(ParkReason.AUTH);
    it.trial.go();
    it.settleActs();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    assertThat(it.trial.loop.round()).isEqualTo(round);
    assertThat(it.written(ForgeAct.RequestReview.class)).hasSize(1);
    it.trial.ignored(new LoopFact.ForgeFailed(new ForgeError.Limited("slow", Samples.START)));
  }

  @Test
  void an_answer_that_the_forge_does_not_take_for_lack_of_credentials_is_written_later() {
    ForgeTrial it = checking("@anna").green();
    it.thread("t1", "anna", "wrong", false);
    it.review("anna", false, RemoteReview.State.CHANGES_REQUESTED, it.head, "").look();
    it.trial.works();
    it.trial.apply(new LoopFact.Pushed(it.trial.head()));
    for (LoopAct act : it.trial.acts) {
      if (act instanceof LoopAct.Write(String key, ForgeAct write)) {
        var refused = new ForgeActResult.Refused(new ForgeError.Unauthorized("expired"));
        LoopFact fact = new LoopFact.ForgeWrote(key, write, refused);
        it.trial.apply(fact);
      }
    }
    assertThat(it.trial.parked()).isEqualTo(ParkReason.AUTH);
    it.head = it.trial.head();
    it.trial.go();
    it.settleActs();
    assertThat(it.written(ForgeAct.Reply.class)).hasSize(1);
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
  }

  // ---- landing

  /** Seen to fail when the merge names no commit, and when the quiet time is left out. */
  @Test
  void t661_a_merge_names_the_commit_and_waits_until_nothing_was_said_for_a_minute() {
    ForgeTrial it = checking("@anna", Optional.empty(), true);
    it.green().approvedBy("anna").look();
    assertThat(it.phase()).isEqualTo(LoopPhase.LAND);
    it.look();
    assertThat(it.written(ForgeAct.Merge.class)).isEmpty();
    it.trial.later(Duration.ofSeconds(30));
    it.says("anna", false, "/midcourse steer nothing").look();
    it.trial.later(Duration.ofSeconds(40)).ignored(new LoopFact.TimePassed());
    it.trial.later(Duration.ofSeconds(30)).apply(new LoopFact.TimePassed());
    it.settleActs().look();
    assertThat(it.written(ForgeAct.Merge.class)).extracting("head").containsExactly(it.head);
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.trial.loop.result()).contains("landed on main");
  }

  /** Seen to fail when a look while landing is not judged. */
  @Test
  void t661_a_finding_while_landing_is_fixed_first() {
    ForgeTrial it = checking("@anna", Optional.empty(), true);
    it.green().approvedBy("anna").look();
    it.thread("t1", "bob", "Stop, this leaks", false).look();
    assertThat(it.phase()).isEqualTo(LoopPhase.FIX);
    assertThat(it.written(ForgeAct.Merge.class)).isEmpty();
  }

  @Test
  void a_base_that_moved_is_merged_and_checked_again_before_the_merge() {
    ForgeTrial it = checking("none", Optional.empty(), true);
    it.mergeability = Mergeability.BEHIND;
    it.green().look();
    it.trial.later(Duration.ofSeconds(61)).apply(new LoopFact.TimePassed());
    it.trial.apply(new LoopFact.ForgeRead(it.snapshot(), it.trial.now));
    assertThat(it.trial.acts).contains(new LoopAct.Sync());
    String merged = "d".repeat(40);
    it.trial.apply(new LoopFact.BaseMerged(LoopTrial.state(merged)));
    it.settleActs();
    assertThat(it.head).isEqualTo(merged);
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
    it.mergeability = Mergeability.YES;
    it.look();
    it.trial.later(Duration.ofSeconds(61)).apply(new LoopFact.TimePassed());
    it.settleActs().look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.written(ForgeAct.Merge.class)).extracting("head").containsExactly(merged);
  }

  /** Seen to fail when LandRules.makeReady makes the draft of somebody else ready. */
  @Test
  void t679_a_draft_of_somebody_else_is_not_merged() {
    ForgeTrial it = checking("none", Optional.empty(), true);
    it.draft = true;
    it.green().look();
    it.trial.later(Duration.ofSeconds(61)).apply(new LoopFact.TimePassed());
    it.settleActs().look();
    assertThat(it.trial.parked()).isEqualTo(ParkReason.FORGE_REFUSED);
    assertThat(it.written(ForgeAct.Merge.class)).isEmpty();
  }

  @Test
  void a_rule_of_the_forge_that_blocks_the_merge_parks_at_the_deadline() {
    ForgeTrial it = checking("none", Optional.empty(), true);
    it.mergeability = Mergeability.BLOCKED;
    it.green().look();
    it.trial.later(Duration.ofSeconds(61)).apply(new LoopFact.TimePassed());
    it.settleActs().look();
    assertThat(it.phase()).isEqualTo(LoopPhase.LAND);
    it.trial.later(Duration.ofHours(2)).apply(new LoopFact.TimePassed());
    assertThat(it.trial.parked()).isEqualTo(ParkReason.DEADLINE);
  }

  // ---- other orders

  @Test
  void only_ci_looks_at_no_review_and_says_so() {
    var order =
        new dev.midcourse.core.loop.forge.ForgeOrder(
            "github",
            "acme/shop",
            "https://forge.test/acme/shop.git",
            false,
            true,
            Optional.of("7"),
            true,
            List.of("build"),
            Optional.empty(),
            ORDER.ciGrace(),
            ORDER.quiet());
    ForgeTrial it = new ForgeTrial(LoopTrial.atForge("none", Optional.empty(), order, false));
    it.trial.apply(
        new LoopFact.SignedIn(
            US, Optional.of(new dev.midcourse.core.loop.forge.ChangeRef("7", ""))));
    it.trial.prepared();
    it.head = it.trial.head();
    it.settleActs();
    it.thread("t1", "anna", "wrong", false);
    it.check("lint", RemoteCheck.State.FAILURE).check("build", RemoteCheck.State.FAILURE).look();
    assertThat(it.trial.loop.findings().all())
        .extracting("title")
        .containsExactly("Check failed: build");
    assertThat(it.trial.loop.calls()).extracting("kind").containsExactly(CallKind.FIX);
    it.works("fixed", "").check("build", RemoteCheck.State.SUCCESS).look();
    assertThat(it.phase()).isEqualTo(LoopPhase.DONE);
    assertThat(it.trial.loop.result()).contains("only CI was asked for");
    assertThat(it.trial.loop.findings().all().getFirst().state()).isEqualTo(FindingState.CONFIRMED);
    assertThat(it.written(ForgeAct.Comment.class))
        .as("one comment, edited in place")
        .extracting(ForgeAct.Comment::marker)
        .containsOnly("midcourse:fix-login-a2b3:status");
  }

  @Test
  void a_loop_whose_parent_has_landed_gets_the_base_of_the_parent() {
    ForgeTrial it = checking("@anna");
    it.trial.apply(new LoopFact.ParentLanded("trunk"));
    it.settleActs();
    assertThat(it.written(ForgeAct.Edit.class))
        .extracting("base")
        .containsExactly(Optional.of("trunk"));
    it.base = "trunk";
    it.look();
    assertThat(it.phase()).isEqualTo(LoopPhase.CHECK);
  }
}
