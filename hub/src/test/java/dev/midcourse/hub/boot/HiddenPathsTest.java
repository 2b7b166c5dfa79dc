package dev.midcourse.hub.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.sandbox.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenPathsTest {
  @TempDir private Path folder;
  private Path home = Path.of("");
  private Path data = Path.of("");

  @BeforeEach
  void prepare() {
    home = folder.resolve("home");
    data = home.resolve(".midcourse");
  }

  @Test
  void the_list_has_an_entry_for_each_kind_of_secret() {
    assertThat(hidden("rehearsal"))
        .contains(data)
        .contains(at(".ssh"), at(".gnupg"), at(".local/share/keyrings"), at(".password-store"))
        .contains(at(".mozilla"), at(".var"), at("snap"), at("Library/Keychains"))
        .contains(at(".aws"), at(".azure"), at(".kube"), at(".docker"), at(".config/gcloud"))
        .contains(at(".npmrc"), at(".pypirc"), at(".netrc"), at(".git-credentials"))
        .contains(at(".config/gh"), at(".config/glab-cli"), at(".terraform.d"), at(".viminfo"));
  }

  @Test
  void no_entry_leaves_the_home_and_none_is_listed_twice() {
    List<String> patterns =
        HiddenPaths.of(data, home, Map.of()).listed().stream()
            .map(HiddenPaths.Listed::pattern)
            .toList();
    assertThat(patterns).doesNotHaveDuplicates();
    for (String pattern : patterns) {
      Path path = Path.of(pattern);
      assertThat(path.isAbsolute()).as(pattern).isFalse();
      assertThat(path.normalize()).as(pattern).isEqualTo(path);
      assertThat(String.valueOf(path.getParent())).as(pattern).doesNotContain("*");
    }
  }

  @Test
  void a_pattern_stands_for_what_is_there() throws Exception {
    Files.createDirectories(at(".config/google-chrome-beta"));
    Files.createDirectories(at(".cargo"));
    Files.writeString(at(".cargo/credentials.toml"), "");
    Files.writeString(at(".psql_history"), "");
    assertThat(hidden("rehearsal"))
        .contains(at(".config/google-chrome-beta"), at(".cargo/credentials.toml"))
        .contains(at(".psql_history"))
        .doesNotContain(at(".cargo"));
  }

  /** Seen to fail when only the home is searched. */
  @Test
  void a_place_that_a_variable_has_moved_is_hidden_too() throws Exception {
    Path settings = folder.resolve("settings");
    Files.createDirectories(settings.resolve("chromium-dev"));
    Path cargo = Files.createDirectories(folder.resolve("cargo"));
    Files.writeString(cargo.resolve("credentials.toml"), "");
    HiddenPaths paths =
        HiddenPaths.of(
            data,
            home,
            Map.of(
                "XDG_CONFIG_HOME", settings.toString(),
                "CARGO_HOME", cargo.toString(),
                "KUBECONFIG", "/clusters/one:/clusters/two",
                "CODEX_HOME", "/logins/codex",
                "AWS_CONFIG_FILE", "relative"));
    assertThat(hidden(paths, "rehearsal"))
        .contains(settings.resolve("gh"), settings.resolve("chromium-dev"), at(".config/gh"))
        .contains(cargo.resolve("credentials.toml"), Path.of("/logins/codex"))
        .contains(Path.of("/clusters/one"), Path.of("/clusters/two"))
        .doesNotContain(Path.of("relative"), at("relative"));
    assertThat(hidden(paths, "codex")).doesNotContain(Path.of("/logins/codex"));
  }

  /** The sandbox would be empty. Seen to fail when a variable may name any path. */
  @Test
  void a_variable_that_names_the_home_or_a_folder_around_it_hides_nothing() {
    HiddenPaths paths =
        HiddenPaths.of(
            data,
            home,
            Map.of("GNUPGHOME", "/", "DOCKER_CONFIG", home.toString(), "NETRC", folder.toString()));
    assertThat(hidden(paths, "rehearsal"))
        .doesNotContain(Path.of("/"), home, folder)
        .contains(at(".gnupg"));
  }

  /** Seen to fail when the paths of all agents are hidden, or of none. */
  @Test
  void the_paths_of_an_agent_are_hidden_from_the_others_only() {
    assertThat(hidden("claude")).contains(at(".codex")).doesNotContain(at(".claude"));
    assertThat(hidden("codex")).contains(at(".claude")).doesNotContain(at(".codex"));
    assertThat(hidden("acp", "claude-agent-acp")).doesNotContain(at(".claude"));
    assertThat(hidden("command", "pipeline")).contains(at(".pi"));
  }

  @Test
  void the_settings_of_a_worker_add_paths_and_take_listed_ones_away() {
    Sandbox.Bubblewrap worker =
        new Sandbox.Bubblewrap(
            true,
            Sandbox.UnixSockets.DENIED,
            List.of(),
            List.of(at("plans")),
            List.of(at(".npmrc"), at(".docker/cli-plugins"), data.resolve("token"), home));
    Sandbox.Bubblewrap made =
        HiddenPaths.of(data, home, Map.of()).from(worker, List.of("rehearsal"));
    assertThat(made.hidden())
        .contains(data, at("plans"), at(".docker"))
        .doesNotContain(at(".npmrc"));
    assertThat(made.visible()).containsExactly(at(".npmrc"), at(".docker/cli-plugins"));
  }

  private Path at(String path) {
    return home.resolve(path);
  }

  private List<Path> hidden(String... agent) {
    return hidden(HiddenPaths.of(data, home, Map.of()), agent);
  }

  private static List<Path> hidden(HiddenPaths paths, String... agent) {
    return paths.from(new Sandbox.Bubblewrap(true, List.of(), List.of()), List.of(agent)).hidden();
  }
}
