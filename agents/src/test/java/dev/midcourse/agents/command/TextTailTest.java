package dev.midcourse.agents.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTailTest {
  private final TextTail tail = new TextTail();

  @Test
  void lines_are_as_they_were() {
    tail.add("one");
    tail.add("two");
    assertThat(tail.text()).isEqualTo("one\ntwo");
    tail.clear();
    assertThat(tail.text()).isEmpty();
    tail.add("three");
    assertThat(tail.text()).isEqualTo("three");
  }

  @Test
  void of_many_lines_the_last_characters_are_there() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      all.append(i == 0 ? "" : "\n").append("line ").append(i);
      tail.add("line " + i);
      if (i % 777 == 0) {
        assertThat(tail.text())
            .isEqualTo(all.substring(Math.max(0, all.length() - 4_000), all.length()));
      }
    }
  }

  @Test
  void it_never_begins_with_half_a_character() {
    tail.add("x" + "\ud83d\ude00".repeat(100_000) + "y");
    assertThat(tail.text()).startsWith("\ud83d\ude00").endsWith("y");
    tail.add("z");
    assertThat(tail.text()).startsWith("\ud83d\ude00").endsWith("y\nz");
  }
}
