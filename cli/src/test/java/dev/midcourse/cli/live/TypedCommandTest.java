package dev.midcourse.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TypedCommandTest {
  @Test
  void plain_words_are_a_steer_and_never_an_answer() {
    assertThat(TypedCommand.parse(" use the new client "))
        .isEqualTo(steer("steer", "use the new client"));
    assertThat(TypedCommand.parse("yes, allow it")).isEqualTo(steer("steer", "yes, allow it"));
    assertThat(TypedCommand.parse("stop")).isEqualTo(steer("steer", "stop"));
    assertThat(TypedCommand.parse("  ")).isEqualTo(new TypedCommand.Blank());
  }

  @Test
  void a_slash_makes_a_command() {
    assertThat(TypedCommand.parse("/interrupt no, wait")).isEqualTo(steer("interrupt", "no, wait"));
    assertThat(TypedCommand.parse("/follow-up and then")).isEqualTo(steer("follow_up", "and then"));
    assertThat(TypedCommand.parse("/later  and then")).isEqualTo(steer("follow_up", "and then"));
    assertThat(TypedCommand.parse("/next hint")).isEqualTo(steer("next", "hint"));
    assertThat(TypedCommand.parse("/stop")).isEqualTo(new TypedCommand.Stop());
    assertThat(TypedCommand.parse("/detach")).isEqualTo(new TypedCommand.Detach());
    assertThat(TypedCommand.parse("/help")).isEqualTo(new TypedCommand.Help());
    assertThat(TypedCommand.parse("/allow")).isEqualTo(new TypedCommand.Reply("allow", ""));
    assertThat(TypedCommand.parse("/deny not on main"))
        .isEqualTo(new TypedCommand.Reply("deny", "not on main"));
    assertThat(TypedCommand.parse("/answer blue")).isEqualTo(new TypedCommand.Reply("blue", ""));
  }

  @Test
  void two_slashes_steer_with_one() {
    assertThat(TypedCommand.parse("//etc is wrong")).isEqualTo(steer("steer", "/etc is wrong"));
  }

  @Test
  void a_slip_is_never_sent_to_the_agent() {
    assertThat(TypedCommand.parse("/stpo")).isInstanceOf(TypedCommand.Wrong.class);
    assertThat(TypedCommand.parse("/etc/passwd is wrong")).isInstanceOf(TypedCommand.Wrong.class);
    assertThat(TypedCommand.parse("/interrupt"))
        .isEqualTo(new TypedCommand.Wrong("/interrupt requires TEXT"));
    assertThat(TypedCommand.parse("/answer")).isInstanceOf(TypedCommand.Wrong.class);
  }

  private static TypedCommand steer(String mode, String text) {
    return new TypedCommand.Steer(mode, text);
  }
}
