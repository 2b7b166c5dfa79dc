package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the completion scripts in their shells. */
class CompletionTest {
  @TempDir Path folder;

  /** Seen to fail when the values of --agent and --worker are not completed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "midcourse ste          | steer steers",
        "midcourse steer --in   | --interrupt",
        "midcourse steer x --wait in | injected",
        "midcourse steer --on-unsupported '' | degrade fail",
        "midcourse help exit    | exit-codes",
        "midcourse completion '' | bash zsh fish",
        "midcourse steer ''     | live-run another-run",
        "midcourse restart ''   | live-run another-run old-run",
        "midcourse ps ''        | ''",
        "midcourse run -f ta    | task.md",
        "midcourse run --agent c | claude codex",
        "midcourse run --worker '' | jarvis-worker-1",
        "midcourse ps --worker j | jarvis-worker-1",
        "midcourse wire ''      | family jarvis-worker-1",
        "midcourse wire --engage m | mention mention_sticky",
        "midcourse people gr    | grant",
        "midcourse people show a | ada add",
        "midcourse chats p      | policy"
      })
  void bash_completes_commands_options_values_runs_and_files(String typed, String wanted)
      throws IOException, InterruptedException {
    Files.writeString(folder.resolve("task.md"), "");
    Files.writeString(folder.resolve("completion.bash"), script("bash"));
    String completed =
        run(
            List.of("bash", "--norc", "-c"),
            """
            midcourse() {
              case "$*" in
                '__complete live-runs') printf 'live-run\\nanother-run\\n' ;;
                '__complete runs') printf 'live-run\\nanother-run\\nold-run\\n' ;;
                '__complete agents') printf 'claude\\ncodex\\n' ;;
                '__complete workers') printf 'jarvis-worker-1\\n' ;;
                '__complete chats') printf 'family\\n' ;;
                '__complete people') printf 'ada\\n' ;;
              esac
            }
            . ./completion.bash
            COMP_WORDS=(%s)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _midcourse
            echo "${COMPREPLY[*]}"
            """
                .formatted(typed));

    assertThat(completed.strip().split(" ", -1)).containsExactlyInAnyOrder(wanted.split(" ", -1));
  }

  @ParameterizedTest
  @Tag("terminal")
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void the_shell_itself_finds_no_fault_with_its_script(String shell)
      throws IOException, InterruptedException {
    assumeTrue(installed(shell), shell + " is missing");
    Path script = Files.writeString(folder.resolve("script"), script(shell));

    assertThat(run(List.of(shell, "-n"), script.toString())).isEmpty();
  }

  @Test
  void a_shell_that_is_not_known_is_refused() {
    CliRunner.Typed typed = CliRunner.in(folder).type("completion", "tcsh");

    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains("expected bash, zsh or fish, got 'tcsh'");
  }

  private String script(String shell) {
    CliRunner.Typed typed = CliRunner.in(folder).type("completion", shell);
    assertThat(typed.code()).isEqualTo(ExitCode.DONE);
    return typed.out();
  }

  private static boolean installed(String program) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private String run(List<String> command, String argument)
      throws IOException, InterruptedException {
    List<String> words = new java.util.ArrayList<>(command);
    words.add(argument);
    Process process =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
