package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.autopilot.forge.fixture.UnixRelay;
import dev.midcourse.core.json.JsonReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GitHub's own command line uses our fake, over a Unix socket. */
@Tag("setup")
final class GhCommandTest {
  private static final String HOST = "forge.test";

  @TempDir Path folder;
  private GitHubFixture fixture;
  private UnixRelay relay;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(
        List.of(System.getenv("PATH").split(File.pathSeparator, -1)).stream()
            .anyMatch(place -> Files.isExecutable(Path.of(place, "gh"))),
        "gh is missing; ./verify installs it");
    fixture = new GitHubFixture(new FakeGitHub(folder, GitHubDescriptions.read("github.graphqls")));
    Path socket = folder.resolve("s");
    relay = new UnixRelay(socket, fixture.github.host().port());
    Files.writeString(
        Files.createDirectory(folder.resolve("gh")).resolve("config.yml"),
        "http_unix_socket: " + socket + "\n");
  }

  @AfterEach
  void close() throws Exception {
    if (relay != null) {
      relay.close();
    }
    if (fixture != null) {
      fixture.close();
    }
  }

  private Map<String, String> environment() {
    return Map.of(
        "PATH",
        System.getenv("PATH"),
        "HOME",
        folder.toString(),
        "GH_CONFIG_DIR",
        folder.resolve("gh").toString(),
        "GH_HOST",
        HOST,
        "GH_ENTERPRISE_TOKEN",
        FakeGitHub.TOKEN,
        "GH_NO_UPDATE_NOTIFIER",
        "1",
        "GH_PROMPT_DISABLED",
        "1",
        "NO_COLOR",
        "1");
  }

  /** Runs gh; returns what it prints. */
  private String gh(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gh"));
    command.addAll(List.of(words));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    Process process = builder.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors, UTF_8)).isZero();
    return Files.readString(output, UTF_8).strip();
  }

  /** Seen to fail when the fake did not serve the paths of an own server of GitHub. */
  @Test
  void gh_reads_and_merges_a_pull_request_of_our_fake() throws Exception {
    fixture.github.addThread(fixture.pull, "carl", Optional.of(3), "This is wrong.");
    String path = "repos/" + FakeGitHub.PROJECT + "/pulls/1";

    assertThat(gh("api", path, "--jq", ".title + \" \" + .state")).isEqualTo("Work open");
    assertThat(
            gh(
                "pr",
                "view",
                "1",
                "--repo",
                FakeGitHub.PROJECT,
                "--json",
                "number,title,state,headRefName,baseRefName,isDraft,mergeable",
                "--jq",
                ".headRefName + \" \" + .state + \" \" + .mergeable"))
        .isEqualTo("work OPEN MERGEABLE");
    String threads =
        gh(
            "api",
            "graphql",
            "-f",
            "query=" + GitHubQuery.THREADS.text(),
            "-f",
            "owner=" + FakeGitHub.OWNER,
            "-f",
            "name=" + FakeGitHub.NAME,
            "-F",
            "number=1");
    assertThat(
            JsonReader.readObject(threads)
                .object("data")
                .object("repository")
                .object("pullRequest")
                .object("reviewThreads")
                .objects("nodes"))
        .singleElement()
        .satisfies(thread -> assertThat(thread.number("line")).contains(3L));
    assertThat(
            gh(
                "api",
                "-X",
                "PUT",
                path + "/merge",
                "-f",
                "sha=" + fixture.head(),
                "--jq",
                ".merged"))
        .isEqualTo("true");
    assertThat(fixture.pull.mergeCommit).isPresent();
    assertThat(gh("api", path + "/reviews", "--paginate")).isEqualTo("[]");
  }

  @Test
  void the_token_of_gh_is_accepted() throws Exception {
    GhTokenCredential credential = new GhTokenCredential(HOST, environment());

    assertThat(fixture.open(credential).signIn()).isEqualTo("ann");
  }
}
