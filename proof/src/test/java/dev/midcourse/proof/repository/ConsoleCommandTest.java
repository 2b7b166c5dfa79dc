package dev.midcourse.proof.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleCommandTest {
  private static final String DOCUMENT =
      """
      # Tour
      ```console
      $ first --now
      one
      two ... lines
      $ second
      ```
      ```json
      $ not a command
      ```
      ```console
      $ third
      ...
      last
      ```
      """;

  @Test
  void commands_are_found_with_their_lines_and_the_output_below_them() {
    assertThat(ConsoleCommand.in(DOCUMENT))
        .containsExactly(
            new ConsoleCommand(3, "first --now", List.of("one", "two ... lines")),
            new ConsoleCommand(6, "second", List.of()),
            new ConsoleCommand(12, "third", List.of("...", "last")));
  }

  @Test
  void dots_in_a_line_stand_for_any_text_and_nothing_else_does() {
    ConsoleCommand command = ConsoleCommand.in(DOCUMENT).getFirst();

    assertThat(command.promises("one\ntwo short lines\n")).isTrue();
    assertThat(command.promises("one\ntwo short words\n")).isFalse();
    assertThat(command.promises("one\ntwo short lines\nthree\n")).isFalse();
    assertThat(command.promises("two short lines\n")).isFalse();
  }

  @Test
  void dots_alone_stand_for_any_lines() {
    ConsoleCommand command = ConsoleCommand.in(DOCUMENT).getLast();

    assertThat(command.promises("last\n")).isTrue();
    assertThat(command.promises("one\ntwo\nlast\n")).isTrue();
    assertThat(command.promises("one\n")).isFalse();
  }

  @Test
  void a_command_without_output_promises_only_to_end_well() {
    assertThat(ConsoleCommand.in(DOCUMENT).get(1).promises("anything")).isTrue();
  }

  @Test
  void shell_code_that_no_test_runs_is_found() {
    assertThat(ConsoleCommand.shellBlocksOutsideOfTests(DOCUMENT)).isEmpty();
    assertThat(ConsoleCommand.shellBlocksOutsideOfTests("```bash\nls\n```"))
        .containsExactly("```bash");
  }
}
