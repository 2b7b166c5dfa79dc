package dev.midcourse.core.chat.question;

import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A question with fixed answers that the agent of a run asks in its conversation. It is stored, so
 * an agent that asks again after a restart gets the answer that was given in between.
 *
 * @param asked the account of the person who is asked; empty if only admins and owners may answer
 * @param to the chat of the card
 * @param card the message of the outbox with the buttons
 * @param options one button for each answer; a click names the button
 */
public record ChatQuestion(
    QuestionId id,
    RunId run,
    WorkerName worker,
    Optional<Identity> asked,
    ChatAddress to,
    OutboundId card,
    String title,
    String question,
    List<Button> options,
    Instant askedAt,
    Instant expiresAt,
    Optional<Answer> answer) {
  public ChatQuestion {
    options = List.copyOf(options);
  }

  /** An answer that somebody gave. */
  public record Answer(String label, String by, Instant at) {}

  /** Whether an answer is still taken. */
  public boolean isOpen(Instant now) {
    return answer.isEmpty() && now.isBefore(expiresAt);
  }

  /** Whether this account may answer: the one that was asked, and admins and owners. */
  public boolean mayAnswer(Identity identity, List<RoleGrant> roles) {
    return asked.filter(identity::equals).isPresent()
        || roles.stream().anyMatch(role -> role.role() != PersonRole.MEMBER && role.covers(worker));
  }

  /** The option that a click names by its button, or a text by its label or its number from 1. */
  public Optional<Button> option(String text) {
    String folded = text.strip().toLowerCase(Locale.ROOT);
    for (int i = 0; i < options.size(); i++) {
      Button option = options.get(i);
      if (option.id().equals(text)
          || option.label().toLowerCase(Locale.ROOT).equals(folded)
          || folded.equals(Integer.toString(i + 1))) {
        return Optional.of(option);
      }
    }
    return Optional.empty();
  }

  public ChatQuestion withAnswer(Answer given) {
    return new ChatQuestion(
        id,
        run,
        worker,
        asked,
        to,
        card,
        title,
        question,
        options,
        askedAt,
        expiresAt,
        Optional.of(given));
  }
}
