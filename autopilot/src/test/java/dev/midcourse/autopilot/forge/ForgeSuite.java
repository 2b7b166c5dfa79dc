package dev.midcourse.autopilot.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeActResult.Refused;
import dev.midcourse.core.loop.forge.ForgeActResult.Unknown;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeFeature;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a loop relies on at every forge. The test class of each adapter extends it. */
public abstract class ForgeSuite {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String BRANCH = "autopilot/fix-it";
  private static final String MARKER = "midcourse-mark-17";

  @TempDir protected Path folder;
  private ForgeProject project;

  /** Makes a project that no other test uses. */
  protected abstract ForgeProject open(Path folder) throws Exception;

  @BeforeEach
  void openProject() throws Exception {
    project = open(folder);
  }

  @AfterEach
  void closeProject() throws Exception {
    if (project != null) {
      project.close();
    }
  }

  @Test
  void a_sign_in_names_the_login_and_wrong_credentials_are_told() throws Exception {
    assertThat(project.forge().signIn()).isNotBlank().isNotEqualTo(project.reviewer());

    assertThatThrownBy(() -> project.forgeOfStranger().signIn())
        .isInstanceOfSatisfying(
            ForgeException.class,
            e -> assertThat(e.error()).isInstanceOf(ForgeError.Unauthorized.class));
  }

  @Test
  void a_change_is_opened_once_and_found_by_its_branch() throws Exception {
    assertThat(project.forge().find(BRANCH, "main")).isEmpty();
    ChangeRef change = opened();
    ForgeActResult again = project.forge().perform(open(true));

    assertThat(again).isEqualTo(new Already(change.number()));
    assertThat(project.forge().find(BRANCH, "main")).contains(change);
    assertThat(project.forge().find(change.number())).isEqualTo(change);
    assertThat(project.forge().find("autopilot/another", "main")).isEmpty();
  }

  @Test
  void a_new_change_is_an_open_draft_without_reviews_and_threads() throws Exception {
    String head = project.publish(BRANCH, "shop.txt", "one\ntwo\nthree\n");
    ChangeRef change = open();
    ChangeSnapshot snapshot = project.forge().snapshot(change);

    assertThat(snapshot.head()).isEqualTo(head);
    assertThat(snapshot.base()).isEqualTo("main");
    assertThat(snapshot.state()).isEqualTo(ChangeSnapshot.State.OPEN);
    assertThat(snapshot.draft()).isEqualTo(has(ForgeFeature.DRAFT));
    assertThat(snapshot.reviews()).isEmpty();
    assertThat(snapshot.threads()).isEmpty();
    assertThat(snapshot.requested()).isEmpty();
    assertThat(snapshot.incomplete()).isEmpty();
  }

  @Test
  void a_draft_is_made_ready_once() throws Exception {
    ChangeRef change = opened();

    assertDone(project.forge().perform(new ForgeAct.MarkReady(change)));
    assertThat(project.forge().snapshot(change).draft()).isFalse();
    assertAlready(project.forge().perform(new ForgeAct.MarkReady(change)));
  }

  @Test
  void a_review_is_asked_for_once_and_read_back() throws Exception {
    ChangeRef change = ready();
    ForgeAct ask = new ForgeAct.RequestReview(change, project.reviewer(), head(change));

    assertDone(project.forge().perform(ask));
    assertThat(project.forge().snapshot(change).requested()).containsExactly(project.reviewer());
    assertAlready(project.forge().perform(ask));
  }

  @Test
  void a_reviewer_who_does_not_exist_cannot_be_asked() throws Exception {
    ChangeRef change = ready();

    assertThat(
            project
                .forge()
                .perform(new ForgeAct.RequestReview(change, "nobody-of-that-name", head(change))))
        .isInstanceOf(Refused.class);
    assertThat(project.forge().snapshot(change).requested()).isEmpty();
  }

  @Test
  void a_comment_on_a_line_is_a_thread_which_is_answered_and_resolved() throws Exception {
    ChangeRef change = ready();
    project.requestChange(change, "shop.txt", 2, "two is too much");
    ReviewThread thread = onlyThread(change);

    assertThat(thread.path()).contains("shop.txt");
    assertThat(thread.line()).isEqualTo(2);
    assertThat(thread.resolved()).isFalse();
    assertThat(thread.outdated()).isFalse();
    assertThat(thread.comments()).hasSize(1);
    assertThat(thread.comments().getFirst().author()).isEqualTo(project.reviewer());
    assertThat(thread.comments().getFirst().body()).isEqualTo("two is too much");

    answer(change, thread);
  }

  /** Replies and resolves as far as the forge can, each twice. */
  private void answer(ChangeRef change, ReviewThread thread) throws Exception {
    ForgeAct reply = new ForgeAct.Reply(change, thread.id(), "Two is needed.", MARKER);
    ForgeActResult replied = project.forge().perform(reply);
    if (has(ForgeFeature.REPLY)) {
      assertDone(replied);
      assertAlready(project.forge().perform(reply));
      ReviewThread answered = onlyThread(change);
      assertThat(answered.id()).isEqualTo(thread.id());
      assertThat(answered.resolved()).isFalse();
      assertThat(answered.comments()).hasSize(2);
      assertThat(answered.comments().getLast().body()).contains("Two is needed.");
    } else {
      assertThat(replied).isInstanceOf(Refused.class);
    }
    ForgeAct resolve = new ForgeAct.Resolve(change, thread.id());
    ForgeActResult resolved = project.forge().perform(resolve);
    if (has(ForgeFeature.RESOLVE)) {
      assertDone(resolved);
      assertThat(onlyThread(change).resolved()).isTrue();
      assertAlready(project.forge().perform(resolve));
    } else {
      assertThat(resolved).isInstanceOf(Refused.class);
    }
  }

  @Test
  void a_thread_stays_open_when_its_lines_are_changed() throws Exception {
    ChangeRef change = ready();
    project.requestChange(change, "shop.txt", 2, "two is too much");
    String id = onlyThread(change).id();
    project.publish(BRANCH, "shop.txt", "one\nthree\n");
    await().atMost(TIMEOUT).until(() -> onlyThread(change).outdated());

    ReviewThread thread = onlyThread(change);
    assertThat(thread.id()).isEqualTo(id);
    assertThat(thread.resolved()).isFalse();
  }

  @Test
  void a_verdict_names_the_head_that_was_looked_at() throws Exception {
    ChangeRef change = ready();
    String first = head(change);
    project.requestChange(change, "shop.txt", 2, "two is too much");
    String second = project.publish(BRANCH, "shop.txt", "one\nthree\n");
    project.approve(change);
    List<RemoteReview> reviews =
        project.forge().snapshot(change).reviews().stream()
            .filter(it -> it.author().equals(project.reviewer()))
            .toList();

    assertThat(second).isNotEqualTo(first).isEqualTo(head(change));
    assertThat(reviews.getLast().state()).isEqualTo(RemoteReview.State.APPROVED);
    assertThat(reviews.getLast().head()).contains(second);
    assertThat(reviews)
        .noneMatch(it ->
            it.state() == RemoteReview.State.CHANGES_REQUESTED
                && it.head().equals(java.util.Optional.of(second)));
  }

  @Test
  void an_approval_of_an_older_head_says_nothing_about_the_new_one() throws Exception {
    ChangeRef change = ready();
    String first = head(change);
    project.approve(change);
    String second = project.publish(BRANCH, "shop.txt", "one\nthree\n");

    assertThat(project.forge().snapshot(change).head()).isEqualTo(second);
    assertThat(project.forge().snapshot(change).reviews())
        .filteredOn(it -> it.state() == RemoteReview.State.APPROVED)
        .allSatisfy(it -> assertThat(it.head()).contains(first));
  }

  @Test
  void a_reviewer_who_has_answered_is_asked_again_about_the_next_head() throws Exception {
    ChangeRef change = ready();
    assertDone(
        project
            .forge()
            .perform(new ForgeAct.RequestReview(change, project.reviewer(), head(change))));
    project.requestChange(change, "shop.txt", 2, "two is too much");
    project.approve(change);
    assertThat(project.forge().snapshot(change).requested()).isEmpty();
    String second = project.publish(BRANCH, "shop.txt", "one\nthree\n");
    ForgeAct again = new ForgeAct.RequestReview(change, project.reviewer(), second);

    // Gerrit itself asks a reviewer again when there is a new patch set.
    assertThat(project.forge().perform(again)).isInstanceOfAny(Done.class, Already.class);
    assertThat(project.forge().snapshot(change).requested()).containsExactly(project.reviewer());
    assertAlready(project.forge().perform(again));
  }

  @Test
  void a_check_is_red_and_then_green_on_the_same_head() throws Exception {
    assumeThat(has(ForgeFeature.CHECKS)).as("the forge has checks").isTrue();
    ChangeRef change = ready();
    String head = head(change);

    project.report(change, head, false);
    assertThat(check(change).state()).isEqualTo(RemoteCheck.State.FAILURE);
    project.report(change, head, true);
    assertThat(check(change).state()).isEqualTo(RemoteCheck.State.SUCCESS);
    assertThat(head(change)).isEqualTo(head);
  }

  @Test
  void a_check_of_an_older_head_says_nothing_about_the_new_one() throws Exception {
    assumeThat(has(ForgeFeature.CHECKS)).as("the forge has checks").isTrue();
    ChangeRef change = ready();
    project.report(change, head(change), true);
    project.publish(BRANCH, "shop.txt", "another\n");

    assertThat(project.forge().snapshot(change).checks()).noneMatch(it -> it.state().isGood());
  }

  @Test
  void a_push_of_somebody_else_is_the_new_head() throws Exception {
    ChangeRef change = ready();
    String head = project.pushOfOther(change, BRANCH, "other.txt", "theirs\n");

    await().atMost(TIMEOUT).until(() -> head(change).equals(head));
    assertThat(project.forge().find(BRANCH, "main")).contains(change);
  }

  @Test
  void a_change_that_somebody_has_closed_is_closed_and_no_longer_found() throws Exception {
    ChangeRef change = ready();
    project.closeByOther(change);

    assertThat(project.forge().snapshot(change).state()).isEqualTo(ChangeSnapshot.State.CLOSED);
    assertThat(project.forge().find(BRANCH, "main")).isEmpty();
    assertThat(project.forge().perform(new ForgeAct.Merge(change, head(change))))
        .isInstanceOf(Refused.class);
    assertAlready(project.forge().perform(new ForgeAct.Close(change)));
  }

  @Test
  void a_change_that_somebody_has_merged_is_merged() throws Exception {
    ChangeRef change = ready();
    String head = head(change);
    project.approve(change);
    project.mergeByOther(change);

    assertThat(project.forge().snapshot(change).state()).isEqualTo(ChangeSnapshot.State.MERGED);
    assertAlready(project.forge().perform(new ForgeAct.Merge(change, head)));
    assertThat(project.forge().perform(new ForgeAct.Close(change))).isInstanceOf(Refused.class);
  }

  @Test
  void a_change_is_closed_once() throws Exception {
    ChangeRef change = opened();

    assertDone(project.forge().perform(new ForgeAct.Close(change)));
    assertThat(project.forge().snapshot(change).state()).isEqualTo(ChangeSnapshot.State.CLOSED);
    assertAlready(project.forge().perform(new ForgeAct.Close(change)));
  }

  @Test
  void only_the_head_that_is_named_is_merged() throws Exception {
    ChangeRef change = ready();
    String first = head(change);
    String second = project.publish(BRANCH, "shop.txt", "another\n");
    project.approve(change);
    awaitMergeability(change, Mergeability.YES);

    assertConflict(project.forge().perform(new ForgeAct.Merge(change, first)));
    assertThat(project.forge().snapshot(change).state()).isEqualTo(ChangeSnapshot.State.OPEN);
    assertDone(project.forge().perform(new ForgeAct.Merge(change, second)));
    assertThat(project.forge().snapshot(change).state()).isEqualTo(ChangeSnapshot.State.MERGED);
  }

  @Test
  void a_conflict_with_the_base_is_seen_and_not_merged() throws Exception {
    project.publish(BRANCH, "shop.txt", "ours\n");
    ChangeRef change = open();
    assertDone(project.forge().perform(new ForgeAct.MarkReady(change)));
    project.approve(change);
    project.pushToBase("shop.txt", "theirs\n");
    awaitMergeability(change, Mergeability.CONFLICT);

    assertConflict(project.forge().perform(new ForgeAct.Merge(change, head(change))));
    if (has(ForgeFeature.UPDATE_BRANCH)) {
      assertConflict(project.forge().perform(new ForgeAct.UpdateBranch(change, head(change))));
    }
  }

  @Test
  void the_base_is_brought_into_a_change_at_the_forge() throws Exception {
    assumeThat(has(ForgeFeature.UPDATE_BRANCH)).as("the forge can update a branch").isTrue();
    ChangeRef change = ready();
    String head = head(change);
    project.pushToBase("other.txt", "theirs\n");

    assertThat(project.forge().perform(new ForgeAct.UpdateBranch(change, head)))
        .isNotInstanceOf(Refused.class);
    await().atMost(TIMEOUT).until(() -> !head(change).equals(head));
    assertThat(project.forge().perform(new ForgeAct.UpdateBranch(change, head)))
        .isInstanceOfAny(Already.class, Refused.class);
  }

  @Test
  void a_comment_of_midcourse_is_there_once() throws Exception {
    ChangeRef change = opened();
    ForgeAct comment = new ForgeAct.Comment(change, "Round 1 of 5.", MARKER);

    assertDone(project.forge().perform(comment));
    assertAlready(project.forge().perform(comment));
    assertThat(project.forge().snapshot(change).comments())
        .filteredOn(it -> HiddenMarker.isIn(it.body(), MARKER))
        .hasSize(1);
  }

  @Test
  void a_page_of_threads_that_fails_makes_the_snapshot_incomplete() throws Exception {
    ChangeRef change = ready();
    project.requestChange(change, "shop.txt", 2, "two is too much");
    project.network().refuseNext(project::readsThreads, 502, Map.of());
    ChangeSnapshot snapshot = project.forge().snapshot(change);

    assertThat(project.network().hasFaults()).isFalse();
    assertThat(snapshot.incomplete()).isPresent();
    assertThat(project.forge().snapshot(change).incomplete()).isEmpty();
  }

  @Test
  void a_forge_that_fails_is_an_outage() throws Exception {
    ChangeRef change = opened();
    project.network().refuseNext(_ -> true, 503, Map.of());

    assertThatThrownBy(() -> project.forge().snapshot(change))
        .isInstanceOfSatisfying(
            ForgeException.class, e -> assertThat(e.error()).isInstanceOf(ForgeError.Outage.class));
  }

  @Test
  void a_limit_of_the_forge_names_the_time_to_wait() throws Exception {
    ChangeRef change = opened();
    project.network().refuseNext(_ -> true, 429, Map.of("Retry-After", "120"));

    assertThatThrownBy(() -> project.forge().snapshot(change))
        .isInstanceOfSatisfying(
            ForgeException.class,
            e -> assertThat(e.error()).isInstanceOf(ForgeError.Limited.class));
  }

  /** An answer that is lost leaves the act done, and the next try finds it. */
  @Test
  void an_act_whose_answer_is_lost_is_done_once() throws Exception {
    project.publish(BRANCH, "shop.txt", "one\ntwo\nthree\n");
    lostThenFound(open(true));
    ChangeRef change = project.forge().find(BRANCH, "main").orElseThrow();
    lostThenFound(new ForgeAct.MarkReady(change));
    lostThenFound(new ForgeAct.RequestReview(change, project.reviewer(), head(change)));
    lostThenFound(new ForgeAct.Comment(change, "Round 1.", MARKER));
    project.requestChange(change, "shop.txt", 2, "two is too much");
    String thread = onlyThread(change).id();
    if (has(ForgeFeature.REPLY)) {
      lostThenFound(new ForgeAct.Reply(change, thread, "It is needed.", MARKER));
      assertThat(onlyThread(change).comments()).hasSize(2);
    }
    if (has(ForgeFeature.RESOLVE)) {
      lostThenFound(new ForgeAct.Resolve(change, thread));
    }
    project.approve(change);
    awaitMergeability(change, Mergeability.YES);
    lostThenFound(new ForgeAct.Merge(change, head(change)));

    assertThat(project.forge().snapshot(change).comments())
        .filteredOn(it -> HiddenMarker.isIn(it.body(), MARKER))
        .hasSize(1);
  }

  @Test
  void a_close_whose_answer_is_lost_is_found() throws Exception {
    ChangeRef change = opened();

    lostThenFound(new ForgeAct.Close(change));
  }

  private void lostThenFound(ForgeAct act) throws Exception {
    Predicate<FaultProxy.Seen> writes = project::writes;
    project.network().loseNextAnswer(writes);
    ForgeActResult first = project.forge().perform(act);
    if (project.network().hasFaults()) {
      // A forge whose changes are opened by a push has nothing to write here.
      assertThat(act).isInstanceOf(ForgeAct.Open.class);
      assertThat(first).isInstanceOf(Already.class);
      project.network().forgetFaults();
    } else {
      assertThat(first).as("%s", act).isInstanceOfAny(Unknown.class, Done.class, Already.class);
    }
    assertAlready(project.forge().perform(act));
  }

  private static ForgeAct open(boolean draft) {
    return new ForgeAct.Open(BRANCH, "main", "Fix it", "It was broken.", draft);
  }

  private ChangeRef open() throws Exception {
    ForgeActResult result = project.forge().perform(open(true));
    assertThat(result).isInstanceOfAny(Done.class, Already.class);
    ChangeRef change = project.forge().find(BRANCH, "main").orElseThrow();
    assertThat(result).isIn(new Done(change.number()), new Already(change.number()));
    return change;
  }

  private ChangeRef opened() throws Exception {
    project.publish(BRANCH, "shop.txt", "one\ntwo\nthree\n");
    return open();
  }

  private ChangeRef ready() throws Exception {
    ChangeRef change = opened();
    assertDone(project.forge().perform(new ForgeAct.MarkReady(change)));
    return change;
  }

  private boolean has(ForgeFeature feature) throws Exception {
    return project.forge().features().contains(feature);
  }

  private String head(ChangeRef change) throws Exception {
    return project.forge().snapshot(change).head();
  }

  private ReviewThread onlyThread(ChangeRef change) throws Exception {
    List<ReviewThread> threads = project.forge().snapshot(change).threads();
    assertThat(threads).hasSize(1);
    return threads.getFirst();
  }

  private RemoteCheck check(ChangeRef change) throws Exception {
    return project.forge().snapshot(change).checks().stream()
        .filter(it -> it.name().equals(project.check()))
        .reduce((_, _) -> {
          throw new AssertionError("the check is there twice");
        })
        .orElseThrow();
  }

  private void awaitMergeability(ChangeRef change, Mergeability wanted) {
    await().atMost(TIMEOUT).until(() -> project.forge().snapshot(change).mergeability() == wanted);
  }

  private static void assertDone(ForgeActResult result) {
    assertThat(result).isInstanceOf(Done.class);
  }

  private static void assertAlready(ForgeActResult result) {
    assertThat(result).isInstanceOf(Already.class);
  }

  private static void assertConflict(ForgeActResult result) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Refused.class, it -> assertThat(it.error()).isInstanceOf(ForgeError.Conflict.class));
  }
}
