package dev.midcourse.core.chat.question;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChatQuestionTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00Z");
  private static final WorkerName ANDY = WorkerName.of("andy");
  private static final Identity ANN = Identity.of("telegram:42");
  private static final Identity BOB = Identity.of("telegram:43");
  private static final ChatQuestion QUESTION =
      new ChatQuestion(
          QuestionId.of("q1"),
          RunId.of("r1"),
          ANDY,
          Optional.of(ANN),
          new ChatAddress(ChannelName.of("telegram"), "7", Optional.empty()),
          OutboundId.of("o1"),
          "Deploy",
          "Deploy now?",
          List.of(new Button("b1", "Yes, now"), new Button("b2", "2 hours later")),
          NOW,
          NOW.plus(Duration.ofMinutes(5)),
          Optional.empty());

  @Test
  void the_person_who_was_asked_answers_and_a_member_beside_does_not() {
    assertThat(QUESTION.mayAnswer(ANN, List.of())).isTrue();
    assertThat(QUESTION.mayAnswer(BOB, List.of())).isFalse();
    assertThat(QUESTION.mayAnswer(BOB, List.of(role(PersonRole.MEMBER, Optional.of(ANDY)))))
        .isFalse();
  }

  @Test
  void an_owner_and_an_admin_of_the_worker_answer_too() {
    assertThat(QUESTION.mayAnswer(BOB, List.of(role(PersonRole.OWNER, Optional.empty())))).isTrue();
    assertThat(QUESTION.mayAnswer(BOB, List.of(role(PersonRole.ADMIN, Optional.of(ANDY)))))
        .isTrue();
    Optional<WorkerName> other = Optional.of(WorkerName.of("other"));
    assertThat(QUESTION.mayAnswer(BOB, List.of(role(PersonRole.ADMIN, other)))).isFalse();
  }

  @Test
  void an_option_is_named_by_button_label_or_number() {
    assertThat(QUESTION.option("b2").map(Button::label)).contains("2 hours later");
    assertThat(QUESTION.option(" yes, NOW ").map(Button::id)).contains("b1");
    assertThat(QUESTION.option("2").map(Button::id)).contains("b2");
    assertThat(QUESTION.option("3")).isEmpty();
    assertThat(QUESTION.option("")).isEmpty();
  }

  @Test
  void a_question_is_open_until_it_is_answered_or_expires() {
    assertThat(QUESTION.isOpen(NOW)).isTrue();
    assertThat(QUESTION.isOpen(NOW.plus(Duration.ofMinutes(5)))).isFalse();
    assertThat(QUESTION.withAnswer(new ChatQuestion.Answer("Yes, now", "Ann", NOW)).isOpen(NOW))
        .isFalse();
  }

  private static RoleGrant role(PersonRole role, Optional<WorkerName> worker) {
    return new RoleGrant(PersonId.of("bob"), role, worker, Optional.empty(), NOW);
  }
}
