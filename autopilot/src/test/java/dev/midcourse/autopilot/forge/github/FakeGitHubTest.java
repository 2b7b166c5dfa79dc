package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** git itself uses the repository of our fake over HTTP. */
final class FakeGitHubTest {
  private static String git(Path folder, String... words) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=Ann", "-c", "user.email=ann@localhost"));
    command.addAll(Arrays.asList(words));
    Path output = Files.createTempFile(folder, "git", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_TERMINAL_PROMPT", "0"));
    Process process = builder.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(output, UTF_8);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void a_push_moves_the_head_of_a_pull_request(@TempDir Path folder) throws Exception {
    try (GitHubFixture fixture = new GitHubFixture(Files.createDirectory(folder.resolve("hub")))) {
      String before = fixture.head();
      String url = fixture.github.api() + "/" + FakeGitHub.PROJECT + ".git";
      git(folder, "clone", "--quiet", "--branch", GitHubFixture.BRANCH, url, "clone");
      Path clone = folder.resolve("clone");
      assertThat(clone.resolve("Login.java")).exists();
      Files.writeString(clone.resolve("Login.java"), "class Login { int x; }\n");
      git(clone, "commit", "--quiet", "-am", "Change it");
      String withToken = url.replace("http://", "http://ann:" + FakeGitHub.TOKEN + "@");
      git(clone, "push", "--quiet", withToken, "HEAD:" + GitHubFixture.BRANCH);

      assertThat(fixture.head())
          .isNotEqualTo(before)
          .isEqualTo(git(clone, "rev-parse", "HEAD").strip());
      assertThat(fixture.snapshot().head()).isEqualTo(fixture.head());
    }
  }
}
