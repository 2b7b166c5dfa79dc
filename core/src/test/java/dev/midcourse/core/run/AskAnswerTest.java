package dev.midcourse.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person types as an answer means what the person means, or is refused. */
class AskAnswerTest {

  private static AskAnswer permission(String typed) {
    return AskAnswer.parse(AskKind.PERMISSION, typed, Optional.empty());
  }

  /** Seen to fail when only the exact word allow gives a permission. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "allow",
        "Allow",
        "ALLOW",
        "yes",
        "y",
        "Y",
        "Yes!",
        "yes.",
        "ok",
        "okay",
        "approve",
        "accept",
        "  yes  ",
        "yes\n",
        "\tallow\r\n"
      })
  void an_allow_word_in_any_case_gives_a_permission(String typed) {
    assertThat(permission(typed)).isEqualTo(new AskAnswer.Allow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "deny | a person said no",
        "no | a person said no",
        "N | a person said no",
        "No. | a person said no",
        "reject | a person said no",
        "deny not on main | not on main",
        "Deny: not on main | not on main",
        "no, use a branch | use a branch",
        "no: use a branch | use a branch",
        "reject it is wrong | it is wrong",
        "deny, | a person said no"
      })
  void a_deny_word_denies_and_what_follows_is_the_reason(String typed, String reason) {
    assertThat(permission(typed)).isEqualTo(new AskAnswer.Deny(reason));
  }

  /** Seen to fail when a text that is no decision denies. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\n",
        "alow",
        "maybe",
        "yes but only the tests",
        "yesterday",
        "no problem, go ahead",
        "nope",
        "not on main",
        "allowed?",
        "y\nrm -rf /",
        "\u0003"
      })
  void anything_else_is_refused_with_the_valid_answers(String typed) {
    assertThatThrownBy(() -> permission(typed))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.problem().field()).isEqualTo("answer");
              assertThat(refused.problem().rule()).contains("allow").contains("deny");
            });
  }

  @Test
  void a_typing_error_is_refused_with_the_word_that_was_meant() {
    assertThatThrownBy(() -> permission("alow")).hasMessageContaining("did you mean 'allow'?");
    assertThatThrownBy(() -> permission("Dney")).hasMessageContaining("did you mean 'deny'?");
  }

  @Test
  void a_reason_of_its_own_goes_with_a_denial_only() {
    assertThat(AskAnswer.parse(AskKind.PERMISSION, "no", Optional.of("not today")))
        .isEqualTo(new AskAnswer.Deny("not today"));
    assertThatThrownBy(() -> AskAnswer.parse(AskKind.PERMISSION, "yes", Optional.of("careful")))
        .hasMessageContaining("deny only");
  }

  @Test
  void a_question_takes_words_and_no_word_is_taken_for_a_decision() {
    assertThat(AskAnswer.parse(AskKind.QUESTION, " the second one ", Optional.empty()))
        .isEqualTo(new AskAnswer.Words("the second one"));
    assertThat(AskAnswer.parse(AskKind.QUESTION, "no", Optional.empty()))
        .isEqualTo(new AskAnswer.Words("no"));
    assertThat(AskAnswer.parse(AskKind.QUESTION, "deny", Optional.of("ask later")))
        .isEqualTo(new AskAnswer.Deny("ask later"));
    assertThatThrownBy(() -> AskAnswer.parse(AskKind.QUESTION, "", Optional.empty()))
        .isInstanceOf(RefusedException.class);
  }
}
