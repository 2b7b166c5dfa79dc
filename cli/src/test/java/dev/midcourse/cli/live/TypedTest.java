package dev.midcourse.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TypedTest {
  @Test
  void plain_words_are_a_steer_and_never_an_answer() {
    assertThat(Typed.parse(" use the new client ")).isEqualTo(steer("steer", "use the new client"));
    assertThat(Typed.parse("yes, allow it")).isEqualTo(steer("steer", "yes, allow it"));
    assertThat(Typed.parse("stop")).isEqualTo(steer("steer", "stop"));
    assertThat(Typed.parse("  ")).isEqualTo(new Typed.Blank());
  }

  @Test
  void a_slash_makes_a_command() {
    assertThat(Typed.parse("/interrupt no, wait")).isEqualTo(steer("interrupt", "no, wait"));
    assertThat(Typed.parse("/later  and then")).isEqualTo(steer("follow_up", "and then"));
    assertThat(Typed.parse("/next hint")).isEqualTo(steer("next", "hint"));
    assertThat(Typed.parse("/stop")).isEqualTo(new Typed.Stop());
    assertThat(Typed.parse("/detach")).isEqualTo(new Typed.Detach());
    assertThat(Typed.parse("/help")).isEqualTo(new Typed.Help());
    assertThat(Typed.parse("/allow")).isEqualTo(new Typed.Reply("allow", ""));
    assertThat(Typed.parse("/deny not on main")).isEqualTo(new Typed.Reply("deny", "not on main"));
    assertThat(Typed.parse("/answer blue")).isEqualTo(new Typed.Reply("blue", ""));
  }

  @Test
  void two_slashes_steer_with_one() {
    assertThat(Typed.parse("//etc is wrong")).isEqualTo(steer("steer", "/etc is wrong"));
  }

  @Test
  void a_slip_is_never_sent_to_the_agent() {
    assertThat(Typed.parse("/stpo")).isInstanceOf(Typed.Wrong.class);
    assertThat(Typed.parse("/etc/passwd is wrong")).isInstanceOf(Typed.Wrong.class);
    assertThat(Typed.parse("/interrupt"))
        .isEqualTo(new Typed.Wrong("/interrupt needs text after it"));
    assertThat(Typed.parse("/answer")).isInstanceOf(Typed.Wrong.class);
  }

  private static Typed steer(String mode, String text) {
    return new Typed.Steer(mode, text);
  }
}
