package dev.midcourse.core.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Seeded;
import dev.midcourse.core.steer.Author;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class IdTest {
  private static final String UUID = "0b9f4f0e-6c1d-4a54-9c1e-2d0f8a7b6c5d";

  /** Every parser there is, with what it takes and how much of it. */
  enum Parser {
    RUN("run_id", 64),
    STEER("steer_id", 36),
    GROUP("group", 64),
    WORKER("worker", 64),
    AGENT("agent", 32),
    HOST("host", 128),
    SESSION("session_id", 128),
    KEY("key", 128),
    ORIGIN("origin", 64);

    private final String field;
    private final int longest;

    Parser(String field, int longest) {
      this.field = field;
      this.longest = longest;
    }

    Object parse(String text) {
      return switch (this) {
        case RUN -> RunId.of(text);
        case STEER -> SteerId.of(text);
        case GROUP -> GroupName.of(text);
        case WORKER -> WorkerName.of(text);
        case AGENT -> AgentName.of(text);
        case HOST -> HostName.of(text);
        case SESSION -> SessionId.of(text);
        case KEY -> IdempotencyKey.of(text);
        case ORIGIN -> Author.person(text).origin();
      };
    }

    List<String> good() {
      return switch (this) {
        case RUN -> List.of("a", "fix-the-login-k3x9", "R.1_2-3", "7");
        case STEER -> List.of(UUID);
        case GROUP -> List.of("main", "Lead_1", "a-b");
        case WORKER -> List.of("jarvis-worker-1", "W_2");
        case AGENT -> List.of("claude", "codex", "acp-2");
        case HOST -> List.of("host-1", "build.example.org");
        case SESSION -> List.of(UUID, "ses_1a", "thread:7.b");
        case KEY -> List.of("order-7", "a/b?c=d", "{\"x\":1}");
        case ORIGIN -> List.of("terminal", "chat:7");
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Parser.class)
  void a_valid_id_is_taken_as_it_is(Parser parser) {
    for (String good : parser.good()) {
      assertThat(parser.parse(good)).hasToString(good);
    }
  }

  /** What no id may ever be, whatever it names. */
  static Stream<String> hostile() {
    return Stream.of(
        "",
        " ",
        "\t",
        "a b",
        " a",
        "a ",
        "a\n",
        "\na",
        "a\r\nb",
        "a\0b",
        "a\u001b[31m",
        "a\u0007",
        "a\u007f",
        "a\u0085b",
        "a\u009b31m",
        "a\u2028b",
        "a\u200bb",
        "a\u202eb",
        "\ufeffa",
        "..",
        "a..b",
        "../a",
        "a/../../etc/passwd",
        "..\\a",
        "\u0430dmin",
        "m\u0430in",
        "\uff41",
        "a\uff0fb",
        "\u2024\u2024",
        "\uff0e\uff0e",
        "e\u0301",
        "\u0661",
        "\ud83d\ude00",
        "\ud83d",
        "\ude00a");
  }

  static Stream<Arguments> parsersAndHostiles() {
    return Stream.of(Parser.values())
        .flatMap(parser -> hostile().map(text -> Arguments.of(parser, text)));
  }

  @ParameterizedTest
  @MethodSource("parsersAndHostiles")
  void a_hostile_id_is_refused_with_field_and_rule_and_without_control_characters(
      Parser parser, String text) {
    if (parser == Parser.ORIGIN && text.equals("a..b")) {
      return; // an origin is never a path and never becomes one
    }
    Problem problem = refused(parser, text);

    assertThat(problem.code()).isEqualTo(Code.INVALID);
    assertThat(problem.field()).isEqualTo(parser.field);
    assertThat(problem.rule()).isNotBlank();
    assertThat(problem.message()).contains(parser.field);
    assertHarmless(problem.message());
  }

  @ParameterizedTest
  @EnumSource(
      value = Parser.class,
      names = {"KEY"},
      mode = EnumSource.Mode.EXCLUDE)
  void nothing_that_could_be_a_path_or_an_option_passes(Parser parser) {
    for (String text :
        List.of(
            "/", "/etc", "a/b", "a\\b", ".", "./a", ".hidden", "-", "-rf", "--help", "~", "~root",
            "C:\\x", "$HOME", "a;b", "a&b", "a|b", "`a`", "$(a)", "*", "a?", "%2e%2e", "a%00")) {
      assertThat(refused(parser, text).field()).isEqualTo(parser.field);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Parser.class,
      names = {"STEER"},
      mode = EnumSource.Mode.EXCLUDE)
  void the_longest_is_taken_and_one_more_is_refused_with_a_short_message(Parser parser) {
    assertThat(parser.parse("a".repeat(parser.longest))).isNotNull();

    for (int length : new int[] {parser.longest + 1, 5_000_000}) {
      Problem problem = refused(parser, "a".repeat(length));
      assertThat(problem.rule()).contains(String.valueOf(parser.longest));
      assertThat(problem.message()).hasSizeLessThan(300);
    }
  }

  @Test
  void a_steer_id_is_a_whole_uuid_in_lower_case() {
    for (String text :
        List.of(
            UUID.toUpperCase(Locale.ROOT),
            UUID.substring(1),
            UUID + "0",
            UUID.replace("-", ""),
            "{" + UUID + "}",
            UUID.replace('b', 'g'))) {
      assertThat(refused(Parser.STEER, text).rule()).contains("UUID");
    }
    assertThat(SteerId.of(UUID).shortened()).isEqualTo("0b9f4f0e");
  }

  @Test
  void random_text_either_is_one_plain_path_segment_or_is_refused() {
    Seeded.trials(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder();
          int length = 1 + random.nextInt(6);
          for (int i = 0; i < length; i++) {
            text.appendCodePoint(
                random.nextInt(4) > 0
                    ? "aZ0._-/\\: ~\n\0".codePointAt(random.nextInt(13))
                    : random.nextInt(0x3000));
          }
          for (Parser parser : List.of(Parser.RUN, Parser.GROUP, Parser.WORKER, Parser.SESSION)) {
            try {
              String id = parser.parse(text.toString()).toString();
              Path root = Path.of("root");
              Path inside = root.resolve(id).normalize();
              assertThat(inside.getParent()).isEqualTo(root);
              assertThat(inside.getFileName()).hasToString(text.toString());
            } catch (RefusedException refused) {
              assertHarmless(refused.problem().message());
            }
          }
        });
  }

  @Test
  void a_message_does_not_cut_a_character_in_half() {
    Problem problem = refused(Parser.RUN, "x".repeat(56) + "\ud83d\ude00".repeat(20));

    assertHarmless(problem.message());
  }

  @Test
  void made_ids_pass_their_own_parsers_and_differ() {
    Seeded.trials(
        200,
        random -> {
          Ids ids = new Ids(random);
          Set<Object> made = new HashSet<>();
          for (String prompt :
              List.of("Fix the login, please!", "", "../../etc", "ÄÖÜ 日本語", "x".repeat(500))) {
            made.add(ids.run(prompt));
          }
          for (int i = 0; i < 20; i++) {
            SteerId id = ids.steer();
            assertThat(id.value()).matches(".{14}4.{4}[89ab].{16}");
            made.add(id);
          }
          assertThat(made).hasSize(25);
          assertThat(ids.token(12)).matches("[a-km-np-z2-9]{12}");
        });
    assertThat(new Ids(new SplittableRandom(1)).run("Fix the login, please!").value())
        .startsWith("fix-the-login-please-");
    assertThat(new Ids(new SplittableRandom(1)).run("../..").value()).startsWith("run-");
  }

  private static void assertHarmless(String message) {
    assertThat(message.codePoints())
        .as("no control, format, separator or half character in: %s", message)
        .noneMatch(c ->
            switch (Character.getType(c)) {
              case Character.CONTROL,
                  Character.FORMAT,
                  Character.SURROGATE,
                  Character.LINE_SEPARATOR,
                  Character.PARAGRAPH_SEPARATOR ->
                  true;
              default -> false;
            });
  }

  private static Problem refused(Parser parser, String text) {
    RefusedException[] caught = new RefusedException[1];
    assertThatExceptionOfType(RefusedException.class)
        .as("%s took %s", parser, text.length() > 50 ? text.length() + " characters" : text)
        .isThrownBy(() -> parser.parse(text))
        .satisfies(refused -> caught[0] = refused);
    return caught[0].problem();
  }
}
