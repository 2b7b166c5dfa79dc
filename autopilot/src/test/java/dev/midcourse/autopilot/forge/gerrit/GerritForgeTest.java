package dev.midcourse.autopilot.forge.gerrit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.autopilot.forge.ForgeProject;
import dev.midcourse.autopilot.forge.ForgeSuite;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.Mergeability;
import dev.midcourse.core.loop.forge.RemoteComment;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter against a real Gerrit. */
@Tag("setup")
@SuppressWarnings("NullAway.Init")
class GerritForgeTest extends ForgeSuite {
  private static final String BRANCH = "autopilot/of-gerrit";
  private static GerritServer server;
  private GerritProject gerrit;

  @BeforeAll
  static void start(@TempDir Path site) throws Exception {
    server = GerritServer.start(site);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected ForgeProject open(Path folder) throws Exception {
    gerrit = new GerritProject(server, folder);
    return gerrit;
  }

  /** Seen to fail when every message of another person is taken for a review. */
  @Test
  void a_message_without_a_vote_is_no_verdict() throws Exception {
    ChangeRef change = opened();
    gerrit.review(
        GerritServer.BOB, change, "current", Obj.EMPTY.with("message", "I look at it tomorrow."));
    ChangeSnapshot snapshot = gerrit.forge().snapshot(change);

    assertThat(snapshot.reviews()).isEmpty();
    assertThat(snapshot.comments())
        .extracting(RemoteComment::body)
        .containsExactly("I look at it tomorrow.");
  }

  /** Seen to fail when the vote in a message counts although Gerrit does not count it any more. */
  @Test
  void a_vote_that_was_taken_back_is_dismissed() throws Exception {
    ChangeRef change = opened();
    gerrit.approve(change);
    gerrit.review(GerritServer.BOB, change, "current", GerritProject.labels("Code-Review", 0));

    assertThat(gerrit.forge().snapshot(change).reviews())
        .extracting(RemoteReview::state)
        .containsExactly(RemoteReview.State.DISMISSED);
  }

  @Test
  void the_same_head_is_one_patch_set_however_often_it_is_pushed() throws Exception {
    ChangeRef change = opened();
    String head = gerrit.forge().snapshot(change).head();

    assertThat(gerrit.push(BRANCH)).isEqualTo(head);
    assertThat(gerrit.forge().snapshot(change).head()).isEqualTo(head);
  }

  /** Seen to fail when the description of a patch set is believed whoever has pushed it. */
  @Test
  void a_patch_set_of_somebody_else_is_not_taken_for_ours() throws Exception {
    ChangeRef change = opened();
    String head = gerrit.forge().snapshot(change).head();
    String theirs = gerrit.pushOfOther(change, "%m=midcourse-" + head, "other.txt", "theirs\n");

    assertThat(gerrit.forge().snapshot(change).head()).isEqualTo(theirs).isNotEqualTo(head);
  }

  @Test
  void a_change_of_a_fast_forward_project_is_behind_when_its_base_has_moved() throws Exception {
    ChangeRef change = opened();
    gerrit.setSubmitType("FAST_FORWARD_ONLY");
    gerrit.pushToBase("other.txt", "theirs\n");

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> gerrit.forge().snapshot(change).mergeability() == Mergeability.BEHIND);
  }

  private ChangeRef opened() throws Exception {
    gerrit.publish(BRANCH, "shop.txt", "one\ntwo\n");
    return gerrit.forge().find(BRANCH, "main").orElseThrow();
  }
}
