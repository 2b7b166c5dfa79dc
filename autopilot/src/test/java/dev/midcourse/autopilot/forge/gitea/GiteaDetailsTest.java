package dev.midcourse.autopilot.forge.gitea;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.autopilot.forge.http.HookSignature;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.ForgeFeature;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.forge.Mergeability;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only Gitea and Forgejo do. */
class GiteaDetailsTest {
  private static final String BRANCH = "autopilot/fix-it";

  @ParameterizedTest
  @CsvSource({
    "1.22.6, GITEA, REVIEW, false",
    "1.26.0, GITEA, REVIEW, true",
    "1.27.0+dev-12-gabc, GITEA, REPLY, true",
    "v2.0.0, GITEA, REPLY, true",
    "7.0.0+gitea-1.21.11, FORGEJO, COMMENT_OF_REVIEW, false",
    "15.0.1+gitea-1.22.0, FORGEJO, COMMENT_OF_REVIEW, false",
    "nightly, GITEA, REVIEW, false",
  })
  void a_version_says_what_its_interface_can_do(
      String text, ForgeKind kind, GiteaVersion.ReplyWay reply, boolean resolves) {
    GiteaVersion version = GiteaVersion.parse(text);

    assertThat(version.kind()).isEqualTo(kind);
    assertThat(version.replyWay()).isEqualTo(reply);
    assertThat(version.features().contains(ForgeFeature.RESOLVE)).isEqualTo(resolves);
  }

  /** Seen to fail when "not mergeable" is taken for a conflict at the first look. */
  @Test
  void a_pull_request_that_is_still_checked_is_not_called_a_conflict() throws Exception {
    try (GiteaProject project = new GiteaProject("1.27.0")) {
      ChangeRef change = opened(project);

      assertThat(project.forge().snapshot(change).mergeability()).isEqualTo(Mergeability.UNKNOWN);
      assertThat(project.forge().snapshot(change).mergeability()).isEqualTo(Mergeability.YES);
    }
  }

  @Test
  void sixty_reviews_are_read_with_the_comments_of_each() throws Exception {
    try (GiteaProject project = new GiteaProject("1.27.0")) {
      ChangeRef change = opened(project);
      for (int i = 1; i <= 60; i++) {
        project.requestChange(change, "file-" + i, 1, "remark " + i);
      }
      ChangeSnapshot snapshot = project.forge().snapshot(change);

      assertThat(snapshot.reviews()).hasSize(60);
      assertThat(snapshot.threads()).hasSize(60);
      assertThat(snapshot.incomplete()).isEmpty();
    }
  }

  @Test
  void a_merge_is_scheduled_once() throws Exception {
    try (GiteaProject project = new GiteaProject("1.27.0")) {
      ChangeRef change = opened(project);
      ForgeAct enqueue = new ForgeAct.Enqueue(change, project.forge().snapshot(change).head());

      assertThat(project.forge().perform(enqueue)).isInstanceOf(Done.class);
      assertThat(project.forge().perform(enqueue)).isInstanceOf(Already.class);
    }
  }

  /** Seen to fail when the signature is not compared. */
  @Test
  void a_hook_is_signed_and_names_its_pull_request() {
    String json =
        """
        {"pull_request": {"number": 7}, "repository": {"full_name": "team/shop"}}
        """;
    byte[] body = json.getBytes(UTF_8);
    Optional<String> signature = Optional.of(HookSignature.hmac("s3cret", body));

    assertThat(GiteaWebhook.isAuthentic("s3cret", body, signature)).isTrue();
    assertThat(GiteaWebhook.isAuthentic("another", body, signature)).isFalse();
    assertThat(GiteaWebhook.isAuthentic("s3cret", body, Optional.empty())).isFalse();
    assertThat(GiteaWebhook.isAuthentic("", body, signature)).isFalse();
    assertThat(GiteaWebhook.isAuthentic("s3cret", "{}".getBytes(UTF_8), signature)).isFalse();
    assertThat(GiteaWebhook.change(JsonReader.readObject(json))).contains("7");
    assertThat(GiteaWebhook.project(JsonReader.readObject(json))).contains("team/shop");
  }

  private static ChangeRef opened(GiteaProject project) throws Exception {
    project.publish(BRANCH, "shop.txt", "one\ntwo\n");
    assertThat(project.forge().perform(new ForgeAct.Open(BRANCH, "main", "Fix it", "", false)))
        .isEqualTo(new Done("1"));
    return new ChangeRef("1", "");
  }
}
