package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of commands without a hub, or with wrong arguments. */
class UsageTest {
  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ps",
        "show r",
        "logs r",
        "attach r",
        "next",
        "answer r allow",
        "stop r",
        "review r",
        "steer r text",
        "steers r",
        "receipt abcd",
        "withdraw abcd",
        "edit abcd text",
        "promote abcd",
        "status",
        "shutdown",
        "workers",
        "prune",
        "run --detach x",
        "restart r",
        "agents"
      })
  void without_a_hub_every_command_says_so_and_how_to_get_one(String line) {
    CliRunner.Typed typed = CliRunner.in(data).type(line.split(" ", -1));

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.NO_HUB);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).contains("no hub is running").contains("midcourse serve");
    assertThat(typed.err()).hasLineCount(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "steer                       | missing argument RUN",
        "steer r                     | the steer is missing",
        "steer r x --interrupt --next | cannot be used together",
        "steer r x --wait soon       | expected one of stored",
        "steer r x --timeout soon    | expected a duration such as 30s, 5m, 2h or 1d, got 'soon'",
        "steer r x --timeout -1s     | expected a duration",
        "steer r x --expect-turn one | expected a non-negative integer, got 'one'",
        "steer r -                   | the steer is empty",
        "run                         | the prompt is missing",
        "run -f nothing.md           | file 'nothing.md' not found",
        "run -f x y                  | cannot be used together",
        "run --attempts many x       | expected a positive integer, got 'many'",
        "run --attempts 0 x          | expected a positive integer, got '0'",
        "restart r --prompt x -f y   | cannot be used together",
        "review r --accept --rework  | cannot be used together",
        "review r --rework           | --rework requires TEXT",
        "show a b                    | unexpected argument 'b'",
        "logs r --raw both           | expected one of out, err, got 'both'",
        "prune --older-than forever  | expected a duration",
        "ps --limit few              | expected a positive integer, got 'few'",
        "ps --limit 0                | expected a positive integer, got '0'",
        "ps --older                  | unknown option --older",
        "show r --wait               | unknown option --wait",
        "serve --port many           | --port must be a number",
        "serve --config nothing.toml | there is no file",
        "nonsense                    | unknown command 'nonsense'",
        "answer r                    | missing argument ANSWER"
      })
  void wrong_use_is_reported_before_any_request(String line, String what) {
    CliRunner.Typed typed = CliRunner.in(data).type(line.split(" ", -1));

    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains(what);
    assertThat(typed.err()).as("what is wrong, and what to do").hasLineCount(2);
  }

  @Test
  void a_prompt_that_is_not_text_is_refused() throws IOException {
    Files.write(data.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThat(CliRunner.in(data).type("run", "-f", "binary").err()).contains("not UTF-8 text");
    assertThat(CliRunner.in(data).type("run", "-f", ".").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_data_folder_with_a_long_name_is_found_by_the_doctor() throws IOException {
    Path deep = data.resolve("a".repeat(60)).resolve("b".repeat(60));
    Files.createDirectories(deep);

    CliRunner.Typed typed = CliRunner.in(deep).type("doctor");

    assertThat(typed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.out()).contains("socket").contains("shorter path");
  }

  @Test
  void a_wrong_setting_is_found_by_the_doctor() throws IOException {
    Files.writeString(data.resolve("midcourse.toml"), "[hub]\ncolour = 1\n");

    CliRunner.Typed typed = CliRunner.in(data).type("doctor");

    assertThat(typed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.out()).contains("midcourse.toml:2: unknown setting hub.colour");
  }

  @Test
  void colour_is_only_for_terminals_without_no_color() {
    CliRunner cli = CliRunner.in(data);

    assertThat(cli.watching(80).type("ps").err()).contains("\u001b[31m");
    assertThat(cli.watching(80).with("NO_COLOR", "1").type("ps").err()).doesNotContain("\u001b");
    assertThat(cli.watching(80).with("TERM", "dumb").type("ps").err()).doesNotContain("\u001b");
    assertThat(cli.type("ps").err()).doesNotContain("\u001b");
  }

  @Test
  void without_a_terminal_the_full_screen_view_says_what_to_use_instead() {
    CliRunner.Typed typed = CliRunner.in(data).type("watch");
    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err()).contains("watch requires a terminal").contains("midcourse ps");
  }
}
