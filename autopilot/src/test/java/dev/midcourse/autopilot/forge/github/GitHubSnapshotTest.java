package dev.midcourse.autopilot.forge.github;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.fixture.FakeHost;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.http.ForgeClient;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeFeature;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.forge.ReviewThread;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading a pull request whole. */
final class GitHubSnapshotTest {
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

  @Test
  void a_new_change_has_neither_reviews_nor_checks() throws Exception {
    ChangeSnapshot snapshot = fixture.snapshot();

    assertThat(snapshot.ref().number()).isEqualTo("1");
    assertThat(snapshot.ref().url()).endsWith("/shop-owner/shop/pull/1");
    assertThat(snapshot.state()).isEqualTo(ChangeSnapshot.State.OPEN);
    assertThat(snapshot.head()).isEqualTo(fixture.head());
    assertThat(snapshot.base()).isEqualTo("main");
    assertThat(snapshot.mergeability()).isEqualTo(Mergeability.YES);
    assertThat(snapshot.checks()).isEmpty();
    assertThat(snapshot.reviews()).isEmpty();
    assertThat(snapshot.threads()).isEmpty();
    assertThat(snapshot.incomplete()).isEmpty();
  }

  /**
   * Seen to fail when only the first page of threads is read, and when the first two pages of the
   * comments of a thread are.
   */
  @Test
  void t710_all_threads_and_all_comments_are_read() throws Exception {
    for (int i = 0; i < 101; i++) {
      github.addThread(pull, "carl", Optional.of(3), "thread " + i);
    }
    FakePullRequest.FakeThread last = pull.threads.getLast();
    for (int i = 0; i < 150; i++) {
      last.comments.add(github.comment("dora", "comment " + i));
    }

    List<ReviewThread> threads = fixture.snapshot().threads();

    assertThat(threads).hasSize(101);
    assertThat(threads.getLast().comments()).hasSize(151);
    assertThat(threads.getLast().comments().stream().map(RemoteComment::body))
        .startsWith("thread 100", "comment 0")
        .endsWith("comment 149");
  }

  /** Seen to fail when outdated threads are left out, and when a line of null is a failure. */
  @Test
  void t711_an_outdated_thread_is_still_open_and_has_its_first_line() throws Exception {
    FakePullRequest.FakeThread outdated = github.addThread(pull, "carl", Optional.empty(), "wrong");
    outdated.outdated = true;
    github.addThread(pull, "helper[bot]", Optional.of(3), "fine").resolved = true;

    List<ReviewThread> threads = fixture.snapshot().threads();

    assertThat(threads.getFirst())
        .isEqualTo(
            new ReviewThread(
                outdated.id,
                Optional.of("src/Login.java"),
                7,
                false,
                true,
                threads.getFirst().comments()));
    assertThat(threads.getLast().resolved()).isTrue();
    assertThat(threads.getLast().line()).isEqualTo(3);
    assertThat(threads.getLast().comments().getFirst().author()).isEqualTo("helper[bot]");
    assertThat(threads.getLast().comments().getFirst().bot()).isTrue();
  }

  @Test
  void all_reviews_are_given_with_their_heads() throws Exception {
    pull.reviews.add(
        new FakePullRequest.Review(1, "carl", "CHANGES_REQUESTED", Optional.of("0ld"), "No."));
    pull.reviews.add(
        new FakePullRequest.Review(2, "carl", "APPROVED", Optional.of(fixture.head()), ""));
    pull.reviews.add(
        new FakePullRequest.Review(3, "Copilot", "COMMENTED", Optional.empty(), "Two remarks"));
    pull.requested.add("dora");
    pull.requested.add("shop-owner/reviewers");
    pull.comments.add(github.comment("eve", "Looks good"));

    ChangeSnapshot snapshot = fixture.snapshot();

    assertThat(snapshot.reviews())
        .extracting(RemoteReview::author, RemoteReview::state, RemoteReview::head)
        .containsExactly(
            tuple("carl", RemoteReview.State.CHANGES_REQUESTED, Optional.of("0ld")),
            tuple("carl", RemoteReview.State.APPROVED, Optional.of(fixture.head())),
            tuple("copilot", RemoteReview.State.COMMENTED, Optional.empty()));
    assertThat(snapshot.reviews().getLast().bot()).isTrue();
    assertThat(snapshot.requested()).containsExactlyInAnyOrder("dora", "shop-owner/reviewers");
    assertThat(snapshot.comments()).extracting(RemoteComment::body).containsExactly("Looks good");
  }

  /** Seen to fail when either check runs or statuses are left out. */
  @Test
  void t712_check_runs_and_statuses_of_the_head_are_both_read() throws Exception {
    github.addCheck(
        fixture.head(),
        new FakeCheckRun(
            11,
            "build",
            "completed",
            Optional.of("failure"),
            List.of(new FakeCheckRun.Annotation("src/Login.java", 12, "failure", "no semicolon")),
            "log"));
    github.addCheck(fixture.head(), github.check("lint", "success"));
    github.addCheck(fixture.head(), github.check("odd", "stale"));
    github.addCheck(
        fixture.head(), new FakeCheckRun(12, "slow", "waiting", Optional.empty(), List.of(), ""));
    github.addCheck("0123456789012345678901234567890123456789", github.check("other", "failure"));
    github.statuses.put(fixture.head(), Map.of("legacy/ci", "error"));

    List<RemoteCheck> checks = fixture.snapshot().checks();

    assertThat(checks)
        .extracting(RemoteCheck::name, RemoteCheck::state)
        .containsExactly(
            tuple("build", RemoteCheck.State.FAILURE),
            tuple("lint", RemoteCheck.State.SUCCESS),
            tuple("odd", RemoteCheck.State.UNKNOWN),
            tuple("slow", RemoteCheck.State.WAITING),
            tuple("legacy/ci", RemoteCheck.State.FAILURE));
    assertThat(checks.getFirst().annotations())
        .singleElement()
        .satisfies(annotation -> {
          assertThat(annotation.path()).contains("src/Login.java");
          assertThat(annotation.line()).isEqualTo(12);
          assertThat(annotation.text()).isEqualTo("no semicolon");
        });
  }

  @Test
  void the_end_of_a_log_is_read_without_its_times() throws Exception {
    github.addCheck(
        fixture.head(),
        new FakeCheckRun(
            11,
            "build",
            "completed",
            Optional.of("failure"),
            List.of(),
            "\uFEFF2026-03-01T10:00:00.1234567Z one\n2026-03-01T10:00:01.1234567Z two\n"));

    assertThat(fixture.forge.log("11", 1_000)).isEqualTo("one\ntwo\n");
    assertThat(fixture.forge.log("11", 4)).isEqualTo("two\n");
    assertThat(fixture.forge.log("12", 1_000)).isEmpty();
    assertThat(fixture.forge.log("", 1_000)).isEmpty();
    assertThat(github.logs().requests()).hasSize(2);
    assertThat(github.logs().requests())
        .allSatisfy(request -> assertThat(request.headers()).doesNotContainKey("authorization"));
  }

  /** Seen to fail when null counts as mergeable. */
  @Test
  void t713_a_change_that_github_still_computes_is_not_known_to_merge() throws Exception {
    pull.mergeable = Optional.empty();
    assertThat(fixture.snapshot().mergeability()).isEqualTo(Mergeability.UNKNOWN);

    pull.mergeable = Optional.of(false);
    assertThat(fixture.snapshot().mergeability()).isEqualTo(Mergeability.CONFLICT);

    pull.mergeable = Optional.of(true);
    pull.mergeState = "BEHIND";
    assertThat(fixture.snapshot().mergeability()).isEqualTo(Mergeability.BEHIND);
    pull.mergeState = "BLOCKED";
    assertThat(fixture.snapshot().mergeability()).isEqualTo(Mergeability.BLOCKED);
    pull.mergeState = "CLEAN";
    pull.draft = true;
    assertThat(fixture.snapshot().mergeability()).isEqualTo(Mergeability.BLOCKED);
  }

  /** Seen to fail when a page that fails is the end of the list. */
  @Test
  void t714_a_page_that_fails_makes_the_snapshot_incomplete() throws Exception {
    for (int i = 0; i < 150; i++) {
      pull.reviews.add(
          new FakePullRequest.Review(
              i + 1, "carl", "APPROVED", Optional.of(fixture.head()), "page"));
    }
    assertThat(fixture.snapshot().incomplete()).isEmpty();

    github
        .host()
        .fail(
            1,
            request -> request.path().endsWith("/reviews") && request.query().contains("&page=2"),
            Reply.of(502, "<html>"));

    assertThat(fixture.snapshot().incomplete())
        .hasValueSatisfying(why -> assertThat(why).contains("reviews").contains("502"));
    assertThat(fixture.snapshot().incomplete()).isEmpty();
  }

  /** Seen to fail when the errors of an answer with status 200 are not looked at. */
  @Test
  void t715_an_answer_of_graphql_with_errors_makes_the_snapshot_incomplete() throws Exception {
    github
        .host()
        .fail(
            1,
            FakeHost.is("POST", "/graphql"),
            Reply.of(
                200,
                """
                {"data":{"repository":{"pullRequest":{"reviewThreads":{"nodes":[],
                "pageInfo":{"hasNextPage":false}}}}},
                "errors":[{"type":"FORBIDDEN","message":"Resource not accessible"}]}\
                """));

    assertThat(fixture.snapshot().incomplete())
        .hasValueSatisfying(why -> assertThat(why).contains("Resource not accessible"));
  }

  /** Seen to fail when a check list that is refused counts as a list without checks. */
  @Test
  void checks_that_may_not_be_read_make_the_snapshot_incomplete() throws Exception {
    github
        .host()
        .fail(
            1,
            request -> request.path().endsWith("/check-runs"),
            FakeGitHub.error(403, "Resource not accessible by personal access token"));

    assertThat(fixture.snapshot().incomplete())
        .hasValueSatisfying(why -> assertThat(why).startsWith("check runs: GET"));
  }

  /** Seen to fail when the head is read only once. */
  @Test
  void t716_a_head_that_moves_while_it_is_read_is_read_again() throws Exception {
    AtomicBoolean pushed = new AtomicBoolean();
    github
        .host()
        .fail(
            1,
            request -> {
              if (request.path().endsWith("/status") && !pushed.getAndSet(true)) {
                try {
                  github.repository.commit(GitHubFixture.BRANCH, "Login.java", "class Login2 {}\n");
                  github.addCheck(fixture.head(), github.check("build", "failure"));
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }
              return false;
            },
            Reply.cut());
    github.addCheck(fixture.head(), github.check("build", "success"));
    String before = fixture.head();

    ChangeSnapshot snapshot = fixture.snapshot();

    assertThat(snapshot.head()).isEqualTo(fixture.head()).isNotEqualTo(before);
    assertThat(snapshot.checks())
        .extracting(RemoteCheck::state)
        .containsExactly(RemoteCheck.State.FAILURE);
    assertThat(snapshot.incomplete()).isEmpty();
  }

  /** Seen to fail when answers are read without their ETags. */
  @Test
  void an_unchanged_change_costs_only_the_graphql_query() throws Exception {
    pull.comments.add(github.comment("eve", "Looks good"));
    fixture.snapshot();
    int before = github.remaining();

    fixture.snapshot();

    assertThat(before - github.remaining()).isEqualTo(1);
  }

  @Test
  void a_change_that_is_merged_or_closed_says_so() throws Exception {
    pull.headAtEnd = fixture.head();
    pull.closed = true;
    assertThat(fixture.snapshot().state()).isEqualTo(ChangeSnapshot.State.CLOSED);
    pull.mergeCommit = Optional.of(fixture.head());
    assertThat(fixture.snapshot().state()).isEqualTo(ChangeSnapshot.State.MERGED);
  }

  @Test
  void a_change_is_found_by_its_branches_and_by_its_number() throws Exception {
    assertThat(fixture.forge.find(GitHubFixture.BRANCH, "main"))
        .hasValueSatisfying(found -> assertThat(found.number()).isEqualTo("1"));
    assertThat(fixture.forge.find(GitHubFixture.BRANCH, "other")).isEmpty();
    assertThat(fixture.forge.find("1").url()).isNotBlank();
    assertThatThrownBy(() -> fixture.forge.find("9")).isInstanceOf(ForgeException.class);
    assertThatThrownBy(() -> fixture.forge.find("../1")).isInstanceOf(ForgeException.class);
  }

  @Test
  void a_queue_and_auto_merge_are_features_only_where_they_are() throws Exception {
    assertThat(fixture.forge.features())
        .contains(ForgeFeature.AUTO_MERGE, ForgeFeature.RESOLVE)
        .doesNotContain(ForgeFeature.QUEUE);
    github.queueForMain = true;
    github.autoMergeAllowed = false;
    assertThat(fixture.open(FakeGitHub.TOKEN).features())
        .contains(ForgeFeature.QUEUE)
        .doesNotContain(ForgeFeature.AUTO_MERGE);
  }

  @Test
  void a_project_is_an_owner_and_a_name() {
    ForgeClient client =
        new ForgeClient(
            GitHubForge.clientSettings(github.api()),
            () -> new ForgeCredential.Secret("", FakeGitHub.TOKEN),
            fixture.clock);
    for (String wrong : List.of("shop", "a/b/c", "a/..", "a/b?c", "-a/b", "")) {
      assertThatThrownBy(() -> new GitHubForge(client, github.api(), wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    client.close();
  }
}
