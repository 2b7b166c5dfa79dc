package dev.midcourse.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CodeFenceTest {
  @Test
  void a_text_is_between_two_fences() {
    assertThat(CodeFence.of("git push\n")).isEqualTo("```\ngit push\n\n```");
  }

  @Test
  void a_fence_is_longer_than_any_run_of_backquotes_in_the_text() {
    assertThat(CodeFence.of("a `b` c")).startsWith("```\n").endsWith("\n```");
    assertThat(CodeFence.of("x\n```\ny")).isEqualTo("````\nx\n```\ny\n````");
    assertThat(CodeFence.of("`".repeat(7))).startsWith("`".repeat(8) + "\n");
  }
}
