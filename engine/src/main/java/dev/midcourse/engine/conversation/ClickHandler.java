package dev.midcourse.engine.conversation;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.conversation.context.ConversationContext;
import java.util.List;
import java.util.Optional;

/** Takes clicks on the buttons of cards. The authority of the person is asked at each click. */
final class ClickHandler {
  private static final String UNKNOWN = "This button is not known any more.";
  private static final String FORBIDDEN = "You may not decide this.";

  private final ConversationContext context;
  private final ApprovalService approvals;
  private final ChatQuestions questions;

  ClickHandler(ConversationContext context, ApprovalService approvals, ChatQuestions questions) {
    this.context = context;
    this.approvals = approvals;
    this.questions = questions;
  }

  /** Returns the text for the person who clicked. */
  String click(ButtonClick click) {
    Optional<Identity> identity = click.sender().identity();
    if (identity.isEmpty()) {
      return FORBIDDEN;
    }
    Optional<Person> person = context.ledger().read(r -> r.chats().personOf(identity.get()));
    List<RoleGrant> roles =
        person.map(it -> context.ledger().read(r -> r.chats().roles(it.id()))).orElse(List.of());
    Optional<ChatQuestion> question =
        context.ledger().read(r -> r.chats().questionOfButton(click.button()));
    if (question.isPresent()) {
      return questions.answer(
          question.get().id(), click.button(), identity.get(), click.sender().name(), roles);
    }
    Caller caller = new Caller.Person(roles, ConversationContext.author(click.sender()));
    Optional<CardButton> button = context.ledger().read(r -> r.chats().button(click.button()));
    try {
      return button.map(found -> carryOut(found.meaning(), caller, click, person)).orElse(UNKNOWN);
    } catch (RefusedException refused) {
      return refused.description();
    }
  }

  private String carryOut(
      ButtonMeaning meaning, Caller caller, ButtonClick click, Optional<Person> person) {
    return switch (meaning) {
      case ButtonMeaning.AllowSender it ->
          decide(it.approval(), new ApprovalDecision.AllowSender(), caller, click, person);
      case ButtonMeaning.WireTo it ->
          decide(it.approval(), new ApprovalDecision.WireTo(it.worker()), caller, click, person);
      case ButtonMeaning.Deny it ->
          decide(it.approval(), new ApprovalDecision.Deny(), caller, click, person);
      case ButtonMeaning.NameWorker it -> askForName(it.approval(), caller);
      case ButtonMeaning.AnswerAsk it -> answerAsk(it, caller);
      case ButtonMeaning.DirectLoop it -> context.loops().click(caller, it);
      case ButtonMeaning.Unknown _ -> UNKNOWN;
    };
  }

  private String decide(
      ApprovalId id,
      ApprovalDecision decision,
      Caller caller,
      ButtonClick click,
      Optional<Person> person) {
    return approvals
        .decide(id, decision, caller, click.sender().name(), person.map(Person::id))
        .text();
  }

  private String askForName(ApprovalId id, Caller caller) {
    Optional<DecidedApproval> decided = context.ledger().read(r -> r.chats().decidedApproval(id));
    if (decided.isPresent()) {
      return "Already decided by " + decided.get().by() + ": " + decided.get().result();
    }
    return Authority.objection(caller, new Action.CreateWorker()).isPresent()
        ? FORBIDDEN
        : "Send the name of the new worker: /approve " + id + " new NAME";
  }

  private String answerAsk(ButtonMeaning.AnswerAsk button, Caller caller) {
    Optional<Run> run = context.ledger().read(r -> r.run(button.run()));
    Optional<Ask> ask = context.ledger().read(r -> r.ask(button.run(), button.ask()));
    if (run.isEmpty() || ask.isEmpty()) {
      return UNKNOWN;
    }
    RunId id = run.get().id();
    if (Authority.objection(caller, new Action.Answer(id, run.get().spec().worker())).isPresent()) {
      return FORBIDDEN;
    }
    if (!ask.get().open()) {
      return "Already answered: " + ask.get().answer().orElse("");
    }
    AskAnswer answer =
        button.allow() ? new AskAnswer.Allow() : new AskAnswer.Deny(AskAnswer.DEFAULT_REASON);
    context.runs().answer(id, button.ask(), answer, caller.author());
    return button.allow() ? "Allowed" : "Denied";
  }
}
