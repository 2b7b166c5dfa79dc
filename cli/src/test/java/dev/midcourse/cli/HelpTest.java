package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.command.Commands;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.core.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the help with golden files. {@code -Dmidcourse.golden=write} writes the files. */
class HelpTest {
  private static final String OVERVIEW = "overview";
  private static final Path GOLDEN = Path.of("src/test/resources/help");
  private static final boolean WRITE = System.getProperty("midcourse.golden", "").equals("write");

  @TempDir Path data;

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_of_help_is_as_it_was_agreed(String page) throws IOException {
    CliRunner.Typed typed =
        page.equals(OVERVIEW)
            ? CliRunner.in(data).type("help")
            : CliRunner.in(data).type("help", page);

    assertThat(typed.code()).isEqualTo(ExitCode.DONE);
    assertThat(typed.err()).isEmpty();
    Path golden = GOLDEN.resolve(page + ".txt");
    if (WRITE) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, typed.out());
    }
    assertThat(typed.out()).isEqualTo(Files.readString(golden));
    assertThat(typed.out().lines()).allMatch(line -> DisplayWidth.of(line) <= 100);
  }

  @Test
  void no_file_is_left_of_a_page_that_is_gone() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
          .containsExactlyInAnyOrderElementsOf(pages());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void every_command_explains_itself_without_a_hub(String name) {
    CliRunner.Typed asked = CliRunner.in(data).type(name, "--help");

    assertThat(asked.code()).isEqualTo(ExitCode.DONE);
    assertThat(asked.out()).isEqualTo(CliRunner.in(data).type("help", name).out());
  }

  @ParameterizedTest
  @MethodSource("names")
  void every_command_refuses_what_it_does_not_know(String name) {
    CliRunner.Typed typed = CliRunner.in(data).type(name, "--no-such-option");

    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).contains("--no-such-option").hasLineCount(2);
  }

  @Test
  void no_arguments_print_the_overview() {
    assertThat(CliRunner.in(data).type().out()).isEqualTo(CliRunner.in(data).type("help").out());
    assertThat(CliRunner.in(data).type("--help").out())
        .isEqualTo(CliRunner.in(data).type("help").out());
  }

  @Test
  void the_version_is_printed() {
    assertThat(CliRunner.in(data).type("--version").out())
        .isEqualTo("midcourse " + Version.NUMBER + "\n");
  }

  @Test
  void a_slip_in_a_command_is_answered_with_the_command() {
    CliRunner.Typed typed = CliRunner.in(data).type("steeer");

    assertThat(typed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(typed.err())
        .contains("unknown command 'steeer'")
        .contains("did you mean: midcourse steer\n");
    assertThat(CliRunner.in(data).type("help", "steeer").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void an_option_before_the_command_is_refused() {
    assertThat(CliRunner.in(data).type("--json", "ps").err()).contains("after the command");
  }

  private static List<String> names() {
    return Commands.specs().stream().map(CommandSpec::name).toList();
  }

  private static List<String> pages() {
    return Stream.concat(names().stream(), Stream.of("exit-codes", OVERVIEW)).toList();
  }
}
