package dev.midcourse.autopilot.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.autopilot.forge.fixture.ForgeClients;
import dev.midcourse.core.json.JsonValue.Obj;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fake GitLab, as gitbeaker, a client of other people, sees it. */
@Tag("setup")
class FakeGitLabClientTest {
  @TempDir Path folder;

  /** Seen to fail when the fake merges another head than the one that is named. */
  @Test
  void gitbeaker_plays_a_review_and_its_types_fit_the_answers() throws Exception {
    try (FakeGitLab server = new FakeGitLab()) {
      String head = server.push("fix", "shop.txt", "one\ntwo\nthree\n");
      Obj result = ForgeClients.run(folder, "gitlab.mjs", server.url().toString(), "fix", head);

      assertThat(result.text("types")).contains("");
      assertThat(result.number("iid")).contains(1L);
      assertThat(result.number("twice")).contains(409L);
      assertThat(result.number("atDraft")).contains(405L);
      assertThat(result.text("draftStatus")).contains("draft_status");
      assertThat(result.texts("reviewers")).containsExactly("bob unreviewed");
      assertThat(result.number("discussions")).contains(26L);
      assertThat(result.texts("thread"))
          .containsExactly("bob: two is too much", "midcourse: Two is needed.");
      assertThat(result.is("resolved")).isTrue();
      assertThat(result.texts("red")).containsExactly("build failed");
      assertThat(result.texts("statuses")).containsExactly("build success");
      assertThat(result.texts("approvers")).containsExactly("bob");
      assertThat(result.texts("versions")).containsExactly(head);
      assertThat(result.number("wrongHead")).contains(409L);
      assertThat(result.number("again")).contains(405L);
      assertThat(result.text("state")).contains("merged");
    }
  }
}
