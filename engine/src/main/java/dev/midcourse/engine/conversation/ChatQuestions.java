package dev.midcourse.engine.conversation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.question.QuestionId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Questions with fixed answers that an agent asks in its conversation. Only the person who was
 * asked, and admins and owners, may answer. Question and answer are stored; an agent that asks the
 * same again after a restart gets the answer that was given in between.
 */
public final class ChatQuestions {
  private static final int MAX_OPTIONS = 10;
  private static final int BUTTON_ID_LENGTH = 20;

  private final ConversationContext context;

  /**
   * What the calls wait for that have asked a question. Several calls wait for one question if its
   * agent asks again; an entry stays until the question is answered or has expired.
   */
  private final Map<QuestionId, CompletableFuture<ChatQuestion>> waiting =
      new ConcurrentHashMap<>();

  ChatQuestions(ConversationContext context) {
    this.context = context;
  }

  /**
   * Asks in the conversation of the run and waits for the answer.
   *
   * @return the question; without an answer if nobody answered in time
   */
  public ChatQuestion ask(
      RunId run, String title, String question, List<String> options, Duration atMost)
      throws InterruptedException {
    if (options.isEmpty() || options.size() > MAX_OPTIONS) {
      throw Problem.invalid("options", "1 to 10 answers", "a question has 1 to 10 answers")
          .refused();
    }
    ChatQuestion asked =
        askedBefore(run, title, question, options)
            .orElseGet(() -> store(run, title, question, options, atMost));
    CompletableFuture<ChatQuestion> answered =
        waiting.computeIfAbsent(asked.id(), _ -> new CompletableFuture<>());
    try {
      // The answer may have come before this call waited for it.
      ChatQuestion now = context.ledger().read(r -> r.chats().question(asked.id())).orElse(asked);
      Duration left = Duration.between(context.now(), asked.expiresAt());
      if (now.answer().isPresent() || !left.isPositive()) {
        waiting.remove(asked.id());
        return now;
      }
      return answered.get(left.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException nobody) {
      waiting.remove(asked.id());
      return close(asked.id()).orElse(asked);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Optional<ChatQuestion> askedBefore(
      RunId run, String title, String question, List<String> options) {
    Instant now = context.now();
    return context.ledger().read(r -> r.chats().questions(run)).reversed().stream()
        .filter(it ->
            it.title().equals(title)
                && it.question().equals(question)
                && it.options().stream().map(Button::label).toList().equals(options)
                && now.isBefore(it.expiresAt()))
        .findFirst();
  }

  private ChatQuestion store(
      RunId id, String title, String question, List<String> options, Duration atMost) {
    return context
        .ledger()
        .write(
            Priority.NORMAL,
            tx -> {
              Instant now = context.now();
              Run run = tx.run(id).orElseThrow();
              RunAddress address = tx.chats().addressOf(id).orElseThrow(() -> noChat(id));
              List<Button> buttons =
                  options.stream()
                      .map(label -> new Button(context.ids().token(BUTTON_ID_LENGTH), label))
                      .toList();
              OutboxWriter outbox = new OutboxWriter(tx.chats(), context.ids(), now);
              OutboundId card =
                  outbox.card(address.to(), new Card(title, question, buttons), Optional.of(id));
              ChatQuestion made =
                  new ChatQuestion(
                      QuestionId.of(context.newId()),
                      id,
                      run.spec().worker(),
                      askedIdentity(tx.chats(), address),
                      address.to(),
                      card,
                      title,
                      question,
                      buttons,
                      now,
                      now.plus(atMost),
                      Optional.empty());
              tx.chats().put(made);
              return made;
            },
            made -> {
              context.outbox().wake(made.to().channel());
              return made;
            });
  }

  /** The person whose message the run answers. */
  private static Optional<Identity> askedIdentity(ChatWriter chats, RunAddress address) {
    return address
        .question()
        .flatMap(message ->
            chats.message(new MessageRef(address.to().channel(), address.to().chat(), message)))
        .flatMap(stored -> stored.message().sender().identity());
  }

  private Optional<ChatQuestion> close(QuestionId id) {
    return context
        .ledger()
        .write(
            Priority.NORMAL,
            tx -> {
              Optional<ChatQuestion> question = tx.chats().question(id);
              if (question.isPresent() && question.get().answer().isEmpty()) {
                OutboxWriter outbox = new OutboxWriter(tx.chats(), context.ids(), context.now());
                outbox.closeCard(
                    question.get().card(),
                    question.get().question() + "\n\n" + context.texts().of(ChatText.EXPIRED));
              }
              return question;
            },
            question -> {
              question.ifPresent(it -> context.outbox().wake(it.to().channel()));
              return question;
            });
  }

  /** Stores the answer of a person. Returns the text for the person. */
  String answer(
      QuestionId id, String option, Identity identity, String name, List<RoleGrant> roles) {
    Answered answered =
        context
            .ledger()
            .write(
                Priority.STEER,
                tx -> answer(tx.chats(), id, option, identity, name, roles),
                result -> {
                  result.question().ifPresent(it -> context.outbox().wake(it.to().channel()));
                  return result;
                });
    answered
        .question()
        .ifPresent(question ->
            Optional.ofNullable(waiting.remove(id)).ifPresent(it -> it.complete(question)));
    return answered.text();
  }

  private record Answered(String text, Optional<ChatQuestion> question) {
    static Answered refused(String text) {
      return new Answered(text, Optional.empty());
    }
  }

  private Answered answer(
      ChatWriter chats,
      QuestionId id,
      String option,
      Identity identity,
      String name,
      List<RoleGrant> roles) {
    Optional<ChatQuestion> known = chats.question(id);
    if (known.isEmpty()) {
      return Answered.refused("This question is not known any more.");
    }
    ChatQuestion question = known.get();
    Instant now = context.now();
    if (!question.mayAnswer(identity, roles)) {
      return Answered.refused("This question is for somebody else.");
    }
    if (question.answer().isPresent()) {
      return Answered.refused(
          "Already answered by "
              + question.answer().get().by()
              + ": "
              + question.answer().get().label());
    }
    Optional<Button> chosen = question.option(option);
    if (!question.isOpen(now) || chosen.isEmpty()) {
      return Answered.refused(
          chosen.isEmpty() ? "This is not one of the answers." : "This question has expired.");
    }
    ChatQuestion answered =
        question.withAnswer(new ChatQuestion.Answer(chosen.get().label(), name, now));
    chats.put(answered);
    OutboxWriter outbox = new OutboxWriter(chats, context.ids(), now);
    outbox.closeCard(
        question.card(), question.question() + "\n\n" + chosen.get().label() + " (" + name + ")");
    return new Answered(chosen.get().label(), Optional.of(answered));
  }

  private static RuntimeException noChat(RunId run) {
    return Problem.of(
            Code.INVALID,
            "run_id",
            "a run of a conversation",
            "run " + run + " belongs to no chat, so there is nobody to ask")
        .refused();
  }
}
