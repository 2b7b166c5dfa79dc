package dev.midcourse.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VisibleTextTest {
  private static final Pattern ESCAPE = Pattern.compile("\\\\u\\{([0-9A-F]+)}");

  record Example(String rule, String text, String shown) {
    static Example of(String line) {
      String[] columns = line.split(" +\\| ", 2);
      String rest = columns[1];
      // A text may contain the separator's character, but not with spaces on both sides.
      int middle = rest.indexOf(" | ");
      return new Example(
          columns[0], unescaped(rest.substring(0, middle)), unescaped(rest.substring(middle + 3)));
    }

    private static String unescaped(String text) {
      return ESCAPE
          .matcher(text.replace("\\n", "\n").replace("\\t", "\t"))
          .replaceAll(match -> Character.toString(Integer.parseInt(match.group(1), 16)));
    }
  }

  static Stream<Example> examples() {
    try (InputStream file =
        Objects.requireNonNull(VisibleTextTest.class.getResourceAsStream("visible-text.txt"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Example::of);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Seen to fail when names get no mark, and when only format characters are shown as numbers. */
  @ParameterizedTest
  @MethodSource("examples")
  void what_a_person_sees_is_what_the_text_contains(Example example) {
    if (!example.rule().equals("exact")) {
      assertThat(VisibleText.prose(example.text())).isEqualTo(example.shown());
    }
    if (!example.rule().equals("prose")) {
      assertThat(VisibleText.exact(example.text())).isEqualTo(example.shown());
    }
  }

  @Test
  void an_exact_line_shows_where_lines_end() {
    assertThat(VisibleText.exactLine("ls\n\trm -r x")).isEqualTo("ls⟨U+000A⟩⟨U+0009⟩rm -r x");
  }

  /** Seen to fail when runs of spaces and line feeds are copied. */
  @Test
  void spaces_and_empty_lines_push_nothing_out_of_sight() {
    assertThat(VisibleText.exact("ls" + " ".repeat(500) + "; rm -r x"))
        .isEqualTo("ls⟨U+0020×500⟩ ; rm -r x");
    assertThat(VisibleText.exact("ls" + "\n".repeat(90) + "rm -r x"))
        .isEqualTo("ls⟨U+000A×90⟩\nrm -r x");
    assertThat(VisibleText.exact(" ".repeat(64) + "\n".repeat(8)))
        .isEqualTo(" ".repeat(64) + "\n".repeat(8));
  }

  /** Two exact texts that look the same are the same: a text is recovered from its shown form. */
  @Test
  void no_invisible_character_is_in_an_exact_text_whatever_the_text_is() {
    Seeded.trials(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < 20; i++) {
            text.appendCodePoint(
                random.nextBoolean()
                    ? random.nextInt(0x20, 0x2100)
                    : random.nextInt(0, Character.MAX_CODE_POINT + 1));
          }
          assertThat(VisibleText.exact(text.toString()).codePoints())
              .noneMatch(point -> point != '\n' && point != '\t' && Character.isISOControl(point))
              .noneMatch(CodePoints::isIgnorable)
              .noneMatch(point -> Character.getType(point) == Character.FORMAT)
              .noneMatch(point -> Character.getType(point) == Character.SURROGATE);
        });
  }

  @Test
  void a_shown_text_is_shown_the_same_again_as_a_message() {
    examples()
        .filter(example -> !example.rule().equals("prose"))
        .map(example -> VisibleText.exact(example.text()))
        .filter(shown -> !shown.contains("://")) // a host gets its mark again
        .forEach(shown -> assertThat(VisibleText.prose(shown)).isEqualTo(shown));
  }
}
