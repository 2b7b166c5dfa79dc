package dev.midcourse.autopilot.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.autopilot.forge.fixture.ForgeClients;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fake Gitea and Forgejo, as clients made from their interface descriptions see it. */
@Tag("setup")
class FakeGiteaClientTest {
  @TempDir Path folder;

  /** Seen to fail when the fake has a field that the descriptions do not know. */
  @ParameterizedTest
  @CsvSource({"1.23.8, gitea-js", "15.0.1+gitea-1.22.0, @llamaduck/forgejo-ts"})
  void gitea_js_plays_a_review_and_the_types_fit_the_answers(String version, String types)
      throws Exception {
    try (FakeGitea server = new FakeGitea(version)) {
      String head = server.push("fix", "shop.txt", "one\ntwo\nthree\n");
      Obj result =
          ForgeClients.run(folder, "gitea.mjs", server.url().toString(), "fix", head, types);

      assertThat(result.text("types")).contains("");
      assertThat(result.text("version")).contains(version);
      assertThat(result.number("number")).contains(1L);
      assertThat(result.number("twice")).contains(409L);
      assertThat(result.number("atDraft")).contains(405L);
      assertThat(result.number("nobody")).contains(404L);
      assertThat(result.number("own")).contains(422L);
      assertThat(result.is("draft")).isTrue();
      assertThat(result.texts("requested")).containsExactly("bob");
      assertThat(result.texts("comments")).containsExactly("shop.txt:2 two is too much");
      assertThat(result.get("pages")).contains(new Arr(List.of(JsonValue.of(50), JsonValue.of(7))));
      assertThat(result.texts("statuses")).containsExactly("ci/build success", "ci/build failure");
      assertThat(result.texts("talk")).containsExactly("Round 2");
      assertThat(result.is("mergeable")).isTrue();
      assertThat(result.number("wrongHead")).contains(409L);
      assertThat(result.number("merge")).contains(200L);
      assertThat(result.is("merged")).isTrue();
    }
  }
}
