package dev.midcourse.core.chat.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import dev.midcourse.core.Utf8;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TextSplitterTest {
  private static final int MAX = 100;
  private static final List<String> PIECES =
      List.of(
          "word ",
          "\n",
          "\n\n",
          "```\n",
          "```java\n",
          "\n```\n",
          "~~~\n",
          "````\n",
          "👍",
          "é",
          "x".repeat(30),
          "y".repeat(130),
          " ",
          "`code`",
          "  - item\n",
          "\n\n\n\n",
          "int a = 1;\n",
          "```" + "i".repeat(60) + "\n",
          "<b>",
          "``` a ` b\n");

  @Test
  void a_short_text_stays_as_it_is() {
    String text = "a\n\n```\nb"; // also with an open fence
    assertThat(TextSplitter.split(text, MAX)).containsExactly(text);
  }

  @Test
  void a_text_is_cut_between_paragraphs_first() {
    String first = "one two\nthree " + "x".repeat(60);
    String second = "four\n" + "y".repeat(60);
    assertThat(TextSplitter.split(first + "\n\n\n" + second, MAX)).containsExactly(first, second);
  }

  @Test
  void a_paragraph_is_cut_between_lines() {
    assertThat(TextSplitter.split("a".repeat(70) + "\n" + "b".repeat(70), MAX))
        .containsExactly("a".repeat(70), "b".repeat(70));
  }

  @Test
  void a_line_is_cut_at_a_space() {
    assertThat(TextSplitter.split("a".repeat(70) + " " + "b".repeat(70), MAX))
        .containsExactly("a".repeat(70), "b".repeat(70));
  }

  @Test
  void a_word_is_cut_between_characters_and_never_inside_one() {
    assertThat(TextSplitter.split("a".repeat(99) + "👍" + "b", MAX))
        .containsExactly("a".repeat(99), "👍b");
  }

  @Test
  void a_fence_that_fits_into_a_message_is_not_cut() {
    String fence = "```java\n" + "code();\n".repeat(9) + "```";
    assertThat(TextSplitter.split("Look here, this is the text:\n" + fence, MAX))
        .containsExactly("Look here, this is the text:", fence);
  }

  @Test
  void a_long_fence_is_closed_and_opened_again() {
    String code = "line one of it\n".repeat(12);
    List<String> parts = TextSplitter.split("~~~~py\n" + code + "~~~~\nend", MAX);
    assertThat(parts)
        .allSatisfy(part -> assertThat(part).startsWith("~~~~py\n").contains("\n~~~~"));
    assertThat(parts.getLast()).endsWith("\n~~~~\nend");
    assertThat(String.join("\n", parts).split("line one of it", -1)).hasSize(13);
  }

  @Test
  void a_text_of_line_ends_has_no_parts() {
    assertThat(TextSplitter.split("\n".repeat(500), MAX)).isEmpty();
  }

  @Test
  void the_beginning_of_a_long_text_ends_with_an_ellipsis() {
    assertThat(TextSplitter.truncate("abcdef", 6)).isEqualTo("abcdef");
    assertThat(TextSplitter.truncate("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(TextSplitter.truncate("abcd👍fg", 6)).isEqualTo("abcd…");
  }

  @Test
  void every_text_keeps_its_words_in_parts_that_fit_and_whose_fences_are_closed() {
    Seeded.trials(
        20_000,
        random -> {
          String text = text(random);
          int max = MAX + random.nextInt(200);
          List<String> parts = TextSplitter.split(text, max);
          assertThat(parts)
              .as("text %s, limit %s", text, max)
              .allSatisfy(part -> {
                assertThat(part.length()).isLessThanOrEqualTo(max);
                assertThat(Utf8.isWhole(part)).isTrue();
                assertThat(part).isNotBlank();
              });
          if (parts.size() > 1) {
            assertThat(parts).as("text %s", text).noneMatch(TextSplitterTest::endsInFence);
          }
          assertThat(letters(String.join("", parts)))
              .as("text %s, limit %s", text, max)
              .containsSubsequence(letters(text));
        });
  }

  private static String text(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    int pieces = 1 + random.nextInt(60);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.isEmpty() || text.toString().isBlank() ? "a" : text.toString();
  }

  /** Everything but white space; a part may have a fence more, so that this is a subsequence. */
  private static List<Integer> letters(String text) {
    return text.codePoints().filter(c -> c != ' ' && c != '\n').boxed().toList();
  }

  /** Reads fences as a platform does, without the rules of the splitter. */
  private static boolean endsInFence(String part) {
    String open = "";
    for (String line : part.split("\n", -1)) {
      String bare = line.stripLeading();
      int indent = line.length() - bare.length();
      char mark = bare.isEmpty() ? ' ' : bare.charAt(0);
      int count = 0;
      while (count < bare.length() && bare.charAt(count) == mark) {
        count++;
      }
      String info = bare.substring(count);
      boolean fence = indent <= 3 && count >= 3 && (mark == '`' || mark == '~');
      if (!fence) {
        continue;
      }
      if (open.isEmpty()) {
        open = mark == '`' && info.contains("`") ? "" : bare.substring(0, count);
      } else if (bare.startsWith(open) && info.isBlank()) {
        open = "";
      }
    }
    return !open.isEmpty();
  }
}
