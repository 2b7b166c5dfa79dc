package dev.midcourse.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScreenTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[31mred",
        "\u001b]0;title\u0007",
        "\u009b2J",
        "a\rb",
        "a\bb",
        "\u202eabc",
        "\u2066x",
        "\u200f",
        "\ufeff",
        "\u2028",
        "\ud800",
        "\u007f",
        "\u0000"
      })
  void nothing_that_a_terminal_acts_on_gets_through(String evil) {
    for (String clean : List.of(TextSanitizer.line(evil), TextSanitizer.lines(evil))) {
      assertThat(clean.codePoints())
          .noneMatch(Character::isISOControl)
          .noneMatch(point -> Character.getType(point) == Character.FORMAT)
          .noneMatch(point -> Character.getType(point) == Character.SURROGATE)
          .noneMatch(point -> point == 0x2028);
      assertThat(clean).isNotEmpty();
    }
  }

  @Test
  void clean_text_is_left_as_it_is() {
    String text = "größer, 日本, 👩‍💻, e\u0301, 🏴󠁧󠁢󠁳󠁣󠁴󠁿, ✓";
    assertThat(TextSanitizer.line(text)).isEqualTo(text);
    assertThat(TextSanitizer.line("two\r\nlines\tand tab")).isEqualTo("two lines and tab");
    assertThat(TextSanitizer.lines("two\r\nlines\tand tab")).isEqualTo("two\nlines    and tab");
    assertThat(TextSanitizer.line("\u001b")).isEqualTo("⟨U+001B⟩");
  }

  @ParameterizedTest
  @CsvSource({
    "abc, 3",
    "größer, 6",
    "e\u0301, 1",
    "日本, 4",
    "한글, 4",
    "👍, 2",
    "👍🏽, 2",
    "👩‍💻, 2",
    "👨‍👩‍👧‍👦, 2",
    "🇩🇪, 2",
    "🇩🇪🇫🇷, 4",
    "❤️, 2",
    "✅ ok, 5",
    "→ ✓, 3",
    "ﾊﾝｶｸ, 4",
    "ＦＵＬＬ, 8",
    "'', 0"
  })
  void text_is_as_wide_as_a_terminal_shows_it(String text, int columns) {
    assertThat(DisplayWidth.of(text)).isEqualTo(columns);
  }

  @Test
  void a_cut_never_splits_what_belongs_together() {
    assertThat(DisplayWidth.cut("a👩‍💻b", 2)).isEqualTo("a");
    assertThat(DisplayWidth.cut("a👩‍💻b", 3)).isEqualTo("a👩‍💻");
    assertThat(DisplayWidth.cut("🇩🇪🇫🇷", 3)).isEqualTo("🇩🇪");
    assertThat(DisplayWidth.cut("日本語", 5)).isEqualTo("日本");
    assertThat(DisplayWidth.shortened("日本語", 5)).isEqualTo("日本…");
    assertThat(DisplayWidth.shortened("abc", 3)).isEqualTo("abc");
    assertThat(DisplayWidth.shortened("abcd", 3)).isEqualTo("ab…");
    assertThat(DisplayWidth.shortened("abcd", 0)).isEmpty();
  }

  @Test
  void a_table_is_aligned_by_what_is_seen() {
    Table table =
        new Table(List.of(Column.whole("A"), new Column("N", Kind.NUMBER, 0), Column.whole("B")));
    table.row(List.of(Cell.of("日本"), Cell.of("1"), Cell.of("x")));
    table.row(List.of(Cell.of("👩‍💻"), Cell.of("100"), Cell.of("y\u001b[2J")));

    assertThat(printed(table, false, 80))
        .isEqualTo(
            """
            A       N  B
            日本    1  x
            👩‍💻    100  y⟨U+001B⟩[2J
            """);
  }

  @Test
  void on_a_terminal_a_table_is_never_wider_than_the_terminal() {
    for (int width : List.of(200, 60, 45, 36, 30)) {
      assertThat(printed(stories(), true, width).lines())
          .allMatch(line -> DisplayWidth.of(line) <= width);
    }
    assertThat(printed(stories(), true, 60)).contains("$12.34", "rehearsal", "…");
    assertThat(printed(stories(), true, 40)).doesNotContain("$12.34").contains("rehearsal");
    assertThat(printed(stories(), true, 30)).doesNotContain("rehearsal").contains("fix-it-a7k2");
    assertThat(printed(stories(), false, 30)).contains("日本語日本語日本語", "$12.34", "rehearsal");
  }

  /** Seen to fail when only the column of kind SHRINKS gives way to the width. */
  @Test
  void long_ids_and_needs_fit_the_terminal_and_a_need_of_a_later_part_is_shown() {
    for (int width : List.of(60, 50, 40)) {
      Table table = runs();
      table.row(run("fix-the-flaky-test-in-the-parser-a7k2", ""));
      String first = printed(table, true, width);
      table.row(run("release-the-version-of-today-b3x9", "permission request"));
      String second = printed(table, true, width);

      assertThat((first + second).lines()).allMatch(line -> DisplayWidth.of(line) <= width);
      assertThat(first).contains("fix-the-fla").doesNotContain("ATTENTION");
      assertThat(second).contains("permission request");
    }
  }

  private static Table runs() {
    return new Table(
        List.of(Column.id("RUN"), new Column("DOING", Kind.SHRINKS, 1), Column.whole("ATTENTION")));
  }

  private static List<Cell> run(String id, String needs) {
    return List.of(Cell.of(id), Cell.of("it reads the whole grammar"), Cell.of(needs));
  }

  private static Table stories() {
    Table table =
        new Table(
            List.of(
                Column.whole("ID"),
                Column.shrinks("DOING"),
                new Column("COST", Kind.NUMBER, 2),
                new Column("AGENT", Kind.WHOLE, 1)));
    table.row(
        List.of(
            Cell.of("fix-it-a7k2"),
            Cell.of("a long story of what it does 日本語日本語日本語"),
            Cell.of("$12.34"),
            Cell.of("rehearsal")));

    return table;
  }

  @Test
  void a_long_table_is_printed_in_parts_under_one_heading() {
    Table table = new Table(List.of(Column.whole("A"), Column.whole("B")));
    assertThat(table.isEmpty()).isTrue();
    assertThat(printed(table, false, 80)).isEmpty();
    table.row(List.of(Cell.of("one"), Cell.of("1")));
    assertThat(printed(table, false, 80)).isEqualTo("A    B\none  1\n");
    table.row(List.of(Cell.of("2"), Cell.of("two")));
    table.row(List.of(Cell.of("three"), Cell.of("3")));
    assertThat(printed(table, false, 80)).isEqualTo("2      two\nthree  3\n");
    assertThat(table.isEmpty()).isFalse();
  }

  @Test
  void colour_is_for_terminals_that_want_it() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    red().print(page(out, true, true, 80));

    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\u001b[31mx\u001b[0m");
    assertThat(printed(red(), true, 80)).doesNotContain("\u001b");
  }

  private static Table red() {
    Table table = new Table(List.of(Column.whole("A")));
    table.row(List.of(new Cell("x", TextColor.RED)));
    return table;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "119, 119 s",
    "120, 2 min",
    "7199, 119 min",
    "7200, 2 h",
    "172799, 47 h",
    "172800, 2 d",
    "-5, 0 s"
  })
  void durations_are_printed_in_one_unit(long seconds, String told) {
    assertThat(DurationText.span(Duration.ofSeconds(seconds))).isEqualTo(told);
  }

  @Test
  void times_are_printed_as_people_write_them() {
    Instant now = Instant.parse("2026-01-01T00:00:10Z");
    assertThat(DurationText.ago(now, now)).isEqualTo("now");
    assertThat(DurationText.ago(now.plusSeconds(5), now)).isEqualTo("now");
    assertThat(DurationText.ago(now.minusSeconds(3), now)).isEqualTo("3 s ago");
    assertThat(DurationText.fine(Duration.ofMillis(4))).isEqualTo("4 ms");
    assertThat(DurationText.fine(Duration.ofMillis(1050))).isEqualTo("1.05 s");
    assertThat(DurationText.clock(Duration.ofSeconds(7))).isEqualTo("0:07");
    assertThat(DurationText.clock(Duration.ofSeconds(750))).isEqualTo("12:30");
    assertThat(DurationText.clock(Duration.ofSeconds(3723))).isEqualTo("1:02:03");
  }

  @Test
  void the_terminals_are_what_the_launcher_found() {
    assertThat(ShellContext.Terminals.of("ioeu", "50 132"))
        .isEqualTo(new ShellContext.Terminals(true, true, true, true, 132, 50));
    assertThat(ShellContext.Terminals.of("u", "")).isEqualTo(ShellContext.Terminals.NONE);
    assertThat(ShellContext.Terminals.of("o", "0 0"))
        .isEqualTo(new ShellContext.Terminals(false, true, false, false, 80, 24));
  }

  private static String printed(Table table, boolean terminal, int columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    table.print(page(out, terminal, false, columns));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static TerminalOutput page(
      ByteArrayOutputStream out, boolean terminal, boolean coloured, int columns) {
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    return new TerminalOutput(stream, terminal, coloured, columns, Glyphs.UNICODE);
  }
}
