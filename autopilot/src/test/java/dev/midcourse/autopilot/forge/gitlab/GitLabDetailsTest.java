package dev.midcourse.autopilot.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult.Already;
import dev.midcourse.core.loop.forge.ForgeActResult.Done;
import dev.midcourse.core.loop.forge.RemoteCheck;
import dev.midcourse.core.loop.forge.RemoteReview;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only GitLab does. */
class GitLabDetailsTest {
  private static final String BRANCH = "autopilot/fix-it";
  private GitLabProject project;
  private ChangeRef change;

  @BeforeEach
  void open() throws Exception {
    project = new GitLabProject();
    project.publish(BRANCH, "shop.txt", "one\ntwo\n");
    assertThat(project.forge().perform(new ForgeAct.Open(BRANCH, "main", "Fix it", "", false)))
        .isEqualTo(new Done("1"));
    change = project.forge().find("1");
  }

  @AfterEach
  void close() {
    project.close();
  }

  /** Seen to fail when only the first page of discussions is read. */
  @Test
  void hundred_and_one_threads_are_read_and_a_missing_page_is_told() throws Exception {
    for (int i = 0; i < 101; i++) {
      project.requestChange(change, "shop.txt", 2, "remark " + i);
    }
    assertThat(project.forge().snapshot(change).threads()).hasSize(101);
    assertThat(project.forge().snapshot(change).incomplete()).isEmpty();

    project.network().refuseNext(it -> it.path().contains("page=2"), 502, Map.of());
    ChangeSnapshot snapshot = project.forge().snapshot(change);
    assertThat(snapshot.threads()).hasSize(100);
    assertThat(snapshot.incomplete()).isPresent();
  }

  @Test
  void somebody_who_asks_for_changes_has_a_verdict_until_he_approves() throws Exception {
    String head = project.forge().snapshot(change).head();
    project.server().requestChanges(1, "bob");
    RemoteReview asked = project.forge().snapshot(change).reviews().getLast();
    project.approve(change);

    assertThat(asked.state()).isEqualTo(RemoteReview.State.CHANGES_REQUESTED);
    assertThat(asked.head()).contains(head);
    assertThat(project.forge().snapshot(change).reviews())
        .extracting(RemoteReview::state)
        .containsExactly(RemoteReview.State.DISMISSED, RemoteReview.State.APPROVED);
  }

  @Test
  void failed_jobs_are_run_again_once_and_have_a_log() throws Exception {
    String head = project.forge().snapshot(change).head();
    project.report(change, head, false);
    RemoteCheck red = project.forge().snapshot(change).checks().getFirst();

    assertThat(project.forge().log(red.id(), 1_000)).isEqualTo("log of " + red.id());
    assertThat(project.forge().log(red.id(), 3)).isEqualTo(red.id());
    assertThat(project.forge().log("999999999999999", 3)).isNotNull();
    assertThat(project.forge().log("../1", 3)).isEmpty();
    ForgeAct rerun = new ForgeAct.RerunFailed(change, head);
    assertThat(project.forge().perform(rerun)).isInstanceOf(Done.class);
    assertThat(project.forge().snapshot(change).checks())
        .extracting(RemoteCheck::state)
        .containsExactly(RemoteCheck.State.WAITING);
    assertThat(project.forge().perform(rerun)).isInstanceOf(Already.class);
  }

  @Test
  void auto_merge_is_set_once() throws Exception {
    ForgeAct enqueue = new ForgeAct.Enqueue(change, project.forge().snapshot(change).head());

    assertThat(project.forge().perform(enqueue)).isInstanceOf(Done.class);
    assertThat(project.forge().perform(enqueue)).isInstanceOf(Already.class);
  }

  @Test
  void a_draft_stays_one_when_its_title_is_edited() throws Exception {
    project.call("midcourse", "PUT", "/merge_requests/1", Obj.EMPTY.with("title", "Draft: Fix it"));
    ForgeAct edit =
        new ForgeAct.Edit(change, Optional.of("Fix all"), Optional.empty(), Optional.empty());

    assertThat(project.forge().perform(edit)).isInstanceOf(Done.class);
    assertThat(project.forge().snapshot(change).draft()).isTrue();
    assertThat(project.forge().perform(edit)).isInstanceOf(Already.class);
  }

  /** Seen to fail when an empty secret is accepted. */
  @Test
  void a_hook_has_the_secret_and_names_its_merge_request() {
    Obj event =
        JsonReader.readObject(
            """
            {"object_kind": "merge_request", "object_attributes": {"iid": 7},
             "project": {"path_with_namespace": "team/shop"}}
            """);
    Obj note =
        JsonReader.readObject("{\"object_kind\": \"note\", \"merge_request\": {\"iid\": 8}}");

    assertThat(GitLabWebhook.isAuthentic("s3cret", Optional.of("s3cret"))).isTrue();
    assertThat(GitLabWebhook.isAuthentic("s3cret", Optional.of("s3cre"))).isFalse();
    assertThat(GitLabWebhook.isAuthentic("s3cret", Optional.empty())).isFalse();
    assertThat(GitLabWebhook.isAuthentic("", Optional.of(""))).isFalse();
    assertThat(GitLabWebhook.change(event)).contains("7");
    assertThat(GitLabWebhook.change(note)).contains("8");
    assertThat(GitLabWebhook.project(event)).contains("team/shop");
  }
}
