package dev.midcourse.cli.watch.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.screen.TextColor;
import org.junit.jupiter.api.Test;

class PainterTest {
  private static Canvas canvas(String text) {
    Canvas canvas = new Canvas(2, 12);
    canvas.put(0, 0, text, Style.PLAIN);
    return canvas;
  }

  @Test
  void the_same_screen_costs_nothing() {
    assertThat(new Painter(true).change(canvas("hello"), canvas("hello"))).isEmpty();
  }

  @Test
  void only_cells_that_differ_are_written() {
    String bytes = new Painter(true).change(canvas("hello"), canvas("hexlo"));
    assertThat(bytes)
        .contains("\u001b[1;3H")
        .contains("x")
        .doesNotContain("h")
        .doesNotContain("lo");
  }

  @Test
  void without_colours_no_colour_is_written_and_the_chosen_row_is_still_seen() {
    Canvas next = new Canvas(1, 5);
    next.put(0, 0, "red", Style.of(TextColor.RED).asChosen(true));
    assertThat(new Painter(false).whole(next)).contains("[0;7m").doesNotContain("31");
    assertThat(new Painter(true).whole(next)).contains("[0;7;31m");
  }

  @Test
  void after_a_wide_character_the_next_place_is_named() {
    assertThat(new Painter(true).change(canvas(""), canvas("日x"))).contains("日\u001b[1;3Hx");
  }

  @Test
  void half_of_a_wide_character_is_never_left_over() {
    assertThat(new Painter(true).change(canvas("日本"), canvas("a b c"))).contains("a b c");
    Canvas narrow = new Canvas(1, 3);
    narrow.put(0, 0, "日本", Style.PLAIN);
    assertThat(narrow.lines()).containsExactly("日…");
  }

  @Test
  void text_of_an_agent_cannot_reach_the_terminal_as_a_command() {
    assertThat(new Painter(true).whole(canvas("\u001b[2Jx"))).contains("⟨U+001B⟩[2Jx");
  }
}
