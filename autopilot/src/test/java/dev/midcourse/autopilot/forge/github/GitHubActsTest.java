package dev.midcourse.autopilot.forge.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeActResult.Refused;
import dev.midcourse.core.loop.forge.ForgeActResult.Unknown;
import dev.midcourse.core.loop.forge.ForgeError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing to a pull request: each act is done once, and only what is proved is claimed. */
final class GitHubActsTest {
  private static final String MARKER = "midcourse:loop-1/reply-1";

  private GitHubFixture fixture;
  private FakeGitHub github;
  private FakePullRequest pull;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    fixture = new GitHubFixture(folder);
    github = fixture.github;
    pull = fixture.pull;
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private ForgeActResult perform(ForgeAct act) throws InterruptedException {
    return fixture.perform(act);
  }

  private static void assertRefused(ForgeActResult result, Class<? extends ForgeError> error) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.error()).isInstanceOf(error));
  }

  private ForgeAct.Open opening(String branch) {
    return new ForgeAct.Open(branch, "main", "Fix the login", "It was broken.", true);
  }

  /** Seen to fail when the open change of the branch is not looked up. */
  @Test
  void t720_a_change_is_opened_once() throws Exception {
    github.repository.commit("second", "a", "a");

    assertThat(perform(opening("second"))).isEqualTo(new Done("2"));
    assertThat(perform(opening("second"))).isEqualTo(new Already("2"));
    assertThat(perform(opening(GitHubFixture.BRANCH))).isEqualTo(new Already("1"));
    assertThat(github.pulls).hasSize(2);
    assertThat(github.pulls.lastEntry().getValue().draft).isTrue();
    assertThat(github.pulls.lastEntry().getValue().title).isEqualTo("Fix the login");
  }

  /** Seen to fail when a cut connection counts as refused, and when the next try does not look. */
  @Test
  void t721_an_opening_whose_answer_is_lost_is_unknown_and_then_found() throws Exception {
    github.repository.commit("second", "a", "a");
    github.host().failAfter(FakeHost.is("POST", "/pulls"), Reply.cut());

    assertThat(perform(opening("second"))).isInstanceOf(Unknown.class);
    assertThat(perform(opening("second"))).isEqualTo(new Already("2"));
    assertThat(github.pulls).hasSize(2);
  }

  /** Seen to fail when 422 is only an error: somebody else was faster. */
  @Test
  void a_change_that_appears_while_one_is_opened_is_taken_over() throws Exception {
    github
        .host()
        .fail(
            1,
            request -> request.method().equals("GET") && request.path().endsWith("/pulls"),
            Reply.of(200, "[]"));

    assertThat(perform(opening(GitHubFixture.BRANCH))).isEqualTo(new Already("1"));

    github.repository.commit("main", "b", "b");
    assertRefused(
        perform(new ForgeAct.Open("nowhere", "main", "t", "b", false)), ForgeError.Invalid.class);
  }

  @Test
  void a_change_is_edited_made_ready_and_closed_once() throws Exception {
    ForgeAct edit =
        new ForgeAct.Edit(
            fixture.change, Optional.of("New title"), Optional.empty(), Optional.empty());
    assertThat(perform(edit)).isEqualTo(new Done("1"));
    assertThat(perform(edit)).isEqualTo(new Already("1"));
    assertThat(pull.title).isEqualTo("New title");
    assertThat(pull.body).isEqualTo("The work");

    pull.draft = true;
    assertThat(perform(new ForgeAct.MarkReady(fixture.change))).isEqualTo(new Done("1"));
    assertThat(perform(new ForgeAct.MarkReady(fixture.change))).isEqualTo(new Already("1"));
    assertThat(pull.draft).isFalse();

    assertThat(perform(new ForgeAct.Close(fixture.change))).isEqualTo(new Done("1"));
    assertThat(perform(new ForgeAct.Close(fixture.change))).isEqualTo(new Already("1"));
    pull.mergeCommit = Optional.of(fixture.head());
    assertRefused(perform(new ForgeAct.Close(fixture.change)), ForgeError.Conflict.class);
  }

  private ForgeAct request(String reviewer) throws Exception {
    return new ForgeAct.RequestReview(fixture.change, reviewer, fixture.head());
  }

  /** Seen to fail when an answer with success counts as a request. */
  @Test
  void t703_a_request_for_a_review_counts_only_when_it_is_read_back() throws Exception {
    github.ignoredReviewers.add("carl");

    assertRefused(perform(request("carl")), ForgeError.Invalid.class);
    assertThat(perform(request("dora"))).isEqualTo(new Done("dora"));
    assertThat(perform(request("@dora"))).isEqualTo(new Already("dora"));
    assertThat(perform(request("shop-owner/team"))).isEqualTo(new Done("shop-owner/team"));
    assertRefused(perform(request("stranger")), ForgeError.Invalid.class);
    assertRefused(perform(request("ann")), ForgeError.Invalid.class);
    assertRefused(
        perform(new ForgeAct.RequestReview(fixture.change, "dora", "0ld")),
        ForgeError.Conflict.class);
  }

  /** Seen to fail when Copilot is asked by another name than the one that works. */
  @Test
  void copilot_is_asked_by_the_name_that_works() throws Exception {
    assertThat(perform(request("copilot"))).isEqualTo(new Done("copilot"));
    assertThat(perform(request("copilot-pull-request-reviewer[bot]")))
        .isEqualTo(new Already("copilot"));
    assertThat(fixture.snapshot().requested()).containsExactly("copilot");

    pull.requested.clear();
    pull.reviews.add(
        new FakePullRequest.Review(
            5, FakeGitHub.COPILOT, "COMMENTED", Optional.of(fixture.head()), "fine"));
    assertThat(perform(request("Copilot"))).isEqualTo(new Already("PRR_5"));
    github.repository.commit(GitHubFixture.BRANCH, "Login.java", "class Login3 {}\n");
    assertThat(perform(request("copilot"))).isEqualTo(new Done("copilot"));
  }

  /** Seen to fail when a reply is sent without looking for its marker. */
  @Test
  void t722_a_reply_whose_answer_is_lost_is_found_by_its_marker() throws Exception {
    FakePullRequest.FakeThread thread =
        github.addThread(pull, "carl", Optional.of(3), "This is wrong.");
    ForgeAct reply = new ForgeAct.Reply(fixture.change, thread.id, "Fixed.", MARKER);
    github.host().failAfter(request -> request.path().endsWith("/replies"), Reply.cut());

    assertThat(perform(reply)).isInstanceOf(Unknown.class);
    assertThat(perform(reply)).isInstanceOf(Already.class);
    assertThat(thread.comments).hasSize(2);
    assertThat(thread.comments.getLast().body)
        .isEqualTo("Fixed.\n\n<!-- midcourse:loop-1/reply-1 -->");
    assertRefused(
        perform(new ForgeAct.Reply(fixture.change, "PRRT_0", "Fixed.", MARKER)),
        ForgeError.NotFound.class);
  }

  /** Seen to fail when the author of the comment with the marker is not compared. */
  @Test
  void t723_a_forged_marker_of_another_author_is_not_ours() throws Exception {
    FakePullRequest.FakeThread thread =
        github.addThread(pull, "carl", Optional.of(3), "Wrong. <!-- " + MARKER + " -->");
    pull.comments.add(github.comment("eve", "Mine. <!-- " + MARKER + " -->"));

    assertThat(perform(new ForgeAct.Reply(fixture.change, thread.id, "Fixed.", MARKER)))
        .isInstanceOf(Done.class);
    assertThat(perform(new ForgeAct.Comment(fixture.change, "Round 1", MARKER)))
        .isInstanceOf(Done.class);
    assertThat(thread.comments).hasSize(2);
    assertThat(pull.comments).hasSize(2);
    assertThat(pull.comments.getFirst().body).startsWith("Mine.");
  }

  /** Seen to fail when the comment is written anew. */
  @Test
  void t724_the_one_comment_is_edited_in_place() throws Exception {
    for (int i = 0; i < 101; i++) {
      pull.comments.add(github.comment("eve", "chatter " + i));
    }
    github.host().failAfter(request -> request.path().endsWith("/comments"), Reply.of(502, ""));

    ForgeAct first = new ForgeAct.Comment(fixture.change, "Round 1", MARKER);
    assertThat(perform(first)).isInstanceOf(Unknown.class);
    assertThat(perform(first)).isInstanceOf(Already.class);
    assertThat(perform(new ForgeAct.Comment(fixture.change, "Round 2", MARKER)))
        .isInstanceOf(Done.class);
    assertThat(pull.comments).hasSize(102);
    assertThat(pull.comments.getLast().body).startsWith("Round 2");
  }

  /** Seen to fail when the errors of an answer with status 200 are not looked at. */
  @Test
  void t725_resolving_is_refused_by_an_answer_with_status_200() throws Exception {
    FakePullRequest.FakeThread thread = github.addThread(pull, "carl", Optional.of(3), "Wrong.");
    ForgeAct resolve = new ForgeAct.Resolve(fixture.change, thread.id);

    assertRefused(fixture.open(FakeGitHub.READ_TOKEN).perform(resolve), ForgeError.Forbidden.class);
    assertThat(thread.resolved).isFalse();
    assertThat(perform(resolve)).isEqualTo(new Done(thread.id));
    assertThat(perform(resolve)).isEqualTo(new Already(thread.id));
    assertThat(thread.resolved).isTrue();
  }

  /** Seen to fail when failed runs are run again at each try. */
  @Test
  void t726_failed_checks_of_a_head_run_again_once() throws Exception {
    ForgeAct rerun = new ForgeAct.RerunFailed(fixture.change, fixture.head());
    assertRefused(perform(rerun), ForgeError.Invalid.class);

    github.workflowRuns.add(new FakeGitHub.WorkflowRun(31, fixture.head(), "failure", 1));
    github.workflowRuns.add(new FakeGitHub.WorkflowRun(32, fixture.head(), "success", 1));
    github.host().failAfter(request -> request.path().endsWith("/rerun-failed-jobs"), Reply.cut());

    assertThat(perform(rerun)).isInstanceOf(Unknown.class);
    assertThat(perform(rerun)).isEqualTo(new Already("31"));
    assertThat(github.workflowRuns.getFirst().attempt()).isEqualTo(2);
    assertRefused(
        perform(new ForgeAct.RerunFailed(fixture.change, "0ld")), ForgeError.Conflict.class);
  }

  @Test
  void a_branch_is_updated_only_at_the_named_head() throws Exception {
    String head = fixture.head();
    ForgeAct update = new ForgeAct.UpdateBranch(fixture.change, head);
    assertThat(perform(update)).isEqualTo(new Already(head));

    github.repository.commit("main", "other", "other\n");
    assertRefused(
        perform(
            new ForgeAct.UpdateBranch(fixture.change, "0123456789012345678901234567890123456789")),
        ForgeError.Conflict.class);
    assertThat(perform(update)).isEqualTo(new Done(fixture.head()));
    assertThat(fixture.head()).isNotEqualTo(head);
    assertThat(perform(update)).isEqualTo(new Already(fixture.head()));

    github.repository.commit("main", "Login.java", "something else\n");
    assertRefused(
        perform(new ForgeAct.UpdateBranch(fixture.change, fixture.head())),
        ForgeError.Conflict.class);
  }

  /** Seen to fail when the answer 202 counts as done. */
  @Test
  void an_update_that_github_has_not_done_yet_is_unknown() throws Exception {
    github.repository.commit("main", "other", "other\n");
    github.updatesLate = true;

    assertThat(perform(new ForgeAct.UpdateBranch(fixture.change, fixture.head())))
        .isInstanceOf(Unknown.class);
  }

  /** Seen to fail when a merge does not name its head, and when a merged change is merged again. */
  @Test
  void t727_a_merge_is_done_once_and_only_at_the_named_head() throws Exception {
    String head = fixture.head();
    assertRefused(perform(new ForgeAct.Merge(fixture.change, "0ld")), ForgeError.Conflict.class);
    pull.mergeState = "BLOCKED";
    assertRefused(perform(new ForgeAct.Merge(fixture.change, head)), ForgeError.Conflict.class);
    pull.mergeState = "CLEAN";
    github.host().failAfter(FakeHost.is("PUT", "/merge"), Reply.cut());

    assertThat(perform(new ForgeAct.Merge(fixture.change, head))).isInstanceOf(Unknown.class);
    assertThat(perform(new ForgeAct.Merge(fixture.change, head)))
        .isEqualTo(new Already(pull.mergeCommit.orElseThrow()));
    assertThat(github.repository.head("main")).isEqualTo(pull.mergeCommit);
    assertRefused(perform(new ForgeAct.Merge(fixture.change, "0ld")), ForgeError.Conflict.class);
  }

  /** Seen to fail when the head is left out of the request. */
  @Test
  void a_push_just_before_a_merge_prevents_it() throws Exception {
    String head = fixture.head();
    List<FakeHost.Seen> merges = new ArrayList<>();
    github
        .host()
        .fail(
            1,
            request -> {
              if (request.path().endsWith("/merge") && merges.isEmpty()) {
                merges.add(request);
                try {
                  github.repository.commit(GitHubFixture.BRANCH, "b", "b");
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
              return false;
            },
            Reply.cut());

    assertRefused(perform(new ForgeAct.Merge(fixture.change, head)), ForgeError.Conflict.class);
    assertThat(merges.getFirst().json().string("sha")).contains(head);
    assertThat(pull.mergeCommit).isEmpty();
  }

  @Test
  void stacked_changes_are_merged_in_the_background() throws Exception {
    pull.stacked = true;

    assertThat(perform(new ForgeAct.Merge(fixture.change, fixture.head())))
        .isEqualTo(new Done(pull.mergeCommit.orElseThrow()));
  }

  @Test
  void a_stacked_change_that_cannot_be_merged_is_refused() throws Exception {
    pull.stacked = true;
    pull.mergeState = "BLOCKED";

    assertRefused(
        perform(new ForgeAct.Merge(fixture.change, fixture.head())), ForgeError.Conflict.class);
  }

  @Test
  void a_change_enters_the_queue_once_at_the_named_head() throws Exception {
    github.queueForMain = true;
    ForgeAct enqueue = new ForgeAct.Enqueue(fixture.change, fixture.head());
    assertRefused(perform(new ForgeAct.Enqueue(fixture.change, "0ld")), ForgeError.Conflict.class);

    assertThat(perform(enqueue)).isEqualTo(new Done("MQE_1"));
    assertThat(perform(enqueue)).isEqualTo(new Already("MQE_1"));
  }

  @Test
  void a_change_that_is_not_ready_is_merged_by_github_later() throws Exception {
    pull.mergeState = "BLOCKED";
    ForgeAct enqueue = new ForgeAct.Enqueue(fixture.change, fixture.head());

    assertThat(perform(enqueue)).isInstanceOf(Done.class);
    assertThat(pull.autoMerge).isTrue();
    assertThat(perform(enqueue)).isInstanceOf(Already.class);

    pull.autoMerge = false;
    github.queueForMain = true;
    assertThat(perform(enqueue)).isInstanceOf(Done.class);
    assertThat(pull.autoMerge).isTrue();
  }

  @Test
  void a_change_that_is_ready_is_merged_at_once_where_there_is_no_queue() throws Exception {
    assertThat(perform(new ForgeAct.Enqueue(fixture.change, fixture.head())))
        .isInstanceOf(Done.class);
    assertThat(pull.mergeCommit).isPresent();
  }
}
