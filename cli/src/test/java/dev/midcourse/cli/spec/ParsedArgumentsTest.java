package dev.midcourse.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.core.Suggestion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParsedArgumentsTest {
  private static final OptionSpec AGENT = OptionSpec.value("--agent", "A", "which").or('a');
  private static final OptionSpec DETACH = OptionSpec.flag("--detach", "leave").or('d');
  private static final OptionSpec JSON = OptionSpec.flag("--json", "json").or('j');
  private static final OptionSpec RUNG =
      OptionSpec.choice("--wait", "RUNG", List.of("x", "y"), "wait");
  private static final CommandSpec SPEC =
      new CommandSpec(
          "run",
          CommandSpec.Group.RUNS,
          "do it",
          "",
          List.of(
              new Operand("RUN", Operand.Count.ONE, Operand.Kind.RUN),
              new Operand("TEXT", Operand.Count.ANY, Operand.Kind.TEXT)),
          List.of(AGENT, DETACH, JSON, RUNG),
          List.of());

  private static ParsedArguments parse(String... words) {
    return ParsedArguments.parse(SPEC, List.of(words));
  }

  @Test
  void options_may_stand_anywhere_and_operands_keep_their_order() {
    ParsedArguments arguments =
        parse("--detach", "r1", "--agent", "codex", "two", "words", "--json");

    assertThat(arguments.operands()).containsExactly("r1", "two", "words");
    assertThat(arguments.text(1)).contains("two words");
    assertThat(arguments.text(3)).isEmpty();
    assertThat(arguments.value(AGENT)).contains("codex");
    assertThat(arguments.has(DETACH)).isTrue();
    assertThat(arguments.has(JSON)).isTrue();
    assertThat(arguments.has(RUNG)).isFalse();
  }

  @Test
  void values_may_be_joined_and_short_options_combined() {
    assertThat(parse("r", "--agent=a=b").value(AGENT)).contains("a=b");
    assertThat(parse("r", "--agent=").value(AGENT)).contains("");
    assertThat(parse("r", "-dj").has(JSON)).isTrue();
    assertThat(parse("r", "-dacodex").value(AGENT)).contains("codex");
    assertThat(parse("r", "-da", "codex").value(AGENT)).contains("codex");
    assertThat(parse("r", "--agent", "-x").value(AGENT)).contains("-x");
    assertThat(parse("r", "--agent", "a", "--agent", "b").value(AGENT)).contains("b");
  }

  @Test
  void a_dash_is_an_operand_and_two_end_the_options() {
    assertThat(parse("-", "-").operands()).containsExactly("-", "-");
    assertThat(parse("r", "--", "--json", "--", "-d").operands())
        .containsExactly("r", "--json", "--", "-d");
    assertThat(parse("r", "--", "--json").has(JSON)).isFalse();
    assertThat(parse("r", "").operands()).containsExactly("r", "");
  }

  @ParameterizedTest
  @CsvSource({
    "r --agnet x, did you mean --agent",
    "r --xyzzy, put -- before",
    "r -x, unknown option -x",
    "r --agent, requires a value: --agent A",
    "r --json=1, does not take a value",
    "r --wait z, 'expected one of x, y, got ''z'''",
    "--json, missing argument RUN"
  })
  void an_unknown_option_is_refused_with_a_hint(String line, String hint) {
    Failure failure = catchThrowableOfType(Failure.class, () -> parse(line.split(" ", -1)));

    assertThat(failure.code()).isEqualTo(ExitCode.USAGE);
    assertThat(failure.what() + " " + failure.remedy()).contains(hint);
  }

  @Test
  void an_unexpected_argument_is_refused() {
    CommandSpec one =
        new CommandSpec(
            "show", CommandSpec.Group.RUNS, "show", "", List.of(), List.of(), List.of());
    assertThatThrownBy(() -> ParsedArguments.parse(one, List.of("a")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("unexpected argument 'a'");
  }

  @Test
  void the_usage_line_is_made_of_the_operands_and_options() {
    assertThat(SPEC.usage())
        .isEqualTo("midcourse run RUN [TEXT] [--agent A] [--detach] [--json] [--wait RUNG]");
    assertThat(SPEC.withAlternatives(DETACH, JSON).usage())
        .isEqualTo("midcourse run RUN [TEXT] [--agent A] [--detach | --json] [--wait RUNG]");
    OptionSpec longOne = OptionSpec.value("--" + "x".repeat(40), "VALUE", "long");
    CommandSpec wide =
        new CommandSpec(
            "stop",
            CommandSpec.Group.RUNS,
            "stop",
            "",
            List.of(new Operand("RUN", Operand.Count.SEVERAL, Operand.Kind.LIVE_RUN)),
            List.of(AGENT, DETACH, longOne, JSON, RUNG),
            List.of());
    assertThat(wide.usage()).isEqualTo("midcourse stop RUN... [--agent A] [--detach] [OPTIONS]");
  }

  @Test
  void of_alternatives_only_one_may_be_given() {
    CommandSpec spec = SPEC.withAlternatives(DETACH, JSON);
    assertThat(ParsedArguments.parse(spec, List.of("r", "--json")).has(JSON)).isTrue();
    assertThatThrownBy(() -> ParsedArguments.parse(spec, List.of("r", "-dj")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("run: --detach and --json cannot be used together");
  }

  @Test
  void help_is_given_whatever_else_is_missing() {
    assertThat(parse("--help").has(CommandSpec.HELP)).isTrue();
    assertThat(parse("-h").has(CommandSpec.HELP)).isTrue();
  }

  @Test
  void a_slip_is_recognised_and_another_word_is_not() {
    List<String> words = List.of("steer", "steers", "status", "stop");
    assertThat(Suggestion.to("steeer", words)).contains("steer");
    assertThat(Suggestion.to("tseer", words)).contains("steer");
    assertThat(Suggestion.to("stopp", words)).contains("stop");
    assertThat(Suggestion.to("xyz", words)).isEmpty();
  }
}
