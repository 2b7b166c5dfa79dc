package dev.midcourse.core.prompt;

import static dev.midcourse.core.prompt.AnswerFormat.stripInternalTags;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The assertions of NanoClaw v1 about the text that people are given. */
class AnswerFormatTest {
  @Test
  void a_part_on_one_line_is_taken_out() {
    assertThat(stripInternalTags("hello <internal>secret</internal> world"))
        .isEqualTo("hello  world");
  }

  @Test
  void a_part_of_many_lines_is_taken_out() {
    assertThat(stripInternalTags("hello <internal>\nsecret\nstuff\n</internal> world"))
        .isEqualTo("hello  world");
  }

  @Test
  void each_part_is_taken_out() {
    assertThat(stripInternalTags("<internal>a</internal>hello<internal>b</internal>"))
        .isEqualTo("hello");
  }

  @Test
  void a_text_that_is_only_internal_becomes_empty() {
    assertThat(stripInternalTags("<internal>only this</internal>")).isEmpty();
    assertThat(stripInternalTags(" <internal>a</internal>\n<internal>b</internal> ")).isEmpty();
  }

  @Test
  void other_text_stays_without_space_around_it() {
    assertThat(stripInternalTags("hello world")).isEqualTo("hello world");
    assertThat(stripInternalTags("\ufeff\u00a0\u2028 hello \n world\u3000\r\n"))
        .isEqualTo("hello \n world");
    assertThat(stripInternalTags("<internal>thinking</internal>The answer is 42"))
        .isEqualTo("The answer is 42");
  }

  @Test
  void a_tag_that_is_not_closed_stays() {
    assertThat(stripInternalTags("a <internal>b")).isEqualTo("a <internal>b");
    assertThat(stripInternalTags("a </internal>b")).isEqualTo("a </internal>b");
    assertThat(stripInternalTags("<internal>a<internal>b</internal>c</internal>d"))
        .isEqualTo("c</internal>d");
  }

  /** Compares with the expression of NanoClaw v1. */
  @Test
  void the_result_equals_that_of_the_regular_expression() {
    Pattern expression = Pattern.compile("<internal>[\\s\\S]*?</internal>");
    String[] parts = {"<internal>", "</internal>", "x", "\n", "<", "internal>", "é", "</"};
    Seeded.trials(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder("a");
          for (int i = random.nextInt(20); i > 0; i--) {
            text.append(Seeded.oneOf(random, parts));
          }
          text.append('z');
          assertThat(stripInternalTags(text.toString()))
              .isEqualTo(expression.matcher(text).replaceAll("").strip());
        });
  }
}
