package dev.midcourse.engine.conversation;

import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.chat.card.CardButton;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.prompt.AnswerFormat;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.text.CodeFence;
import dev.midcourse.core.text.RequestText;
import dev.midcourse.core.text.VisibleText;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader.RunAddress;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts what people see of a run's events into the outbox, as part of one transaction. */
final class RunReport {
  private static final Set<OutboundState> ANY_STATE = EnumSet.allOf(OutboundState.class);
  private static final int MAX_SEARCHED = 100;

  /** What a message shows that waits for the end of its run: it opened the run, or it stops it. */
  private static final Set<MessageStatus> UNSETTLED =
      EnumSet.of(MessageStatus.RUNNING, MessageStatus.QUEUED);

  private final ConversationContext context;
  private final Transaction tx;
  private final ChatWriter chats;
  private final OutboxWriter outbox;

  RunReport(ConversationContext context, Transaction tx, OutboxWriter outbox) {
    this.context = context;
    this.tx = tx;
    this.chats = tx.chats();
    this.outbox = outbox;
  }

  /** Whether people may see something of the event. */
  static boolean isVisible(RunEvent event) {
    return !(event instanceof RunEvent.SteerRaised raised)
        || switch (raised.rung()) {
          case INJECTED, SEEN -> true;
          case STORED, OFFERED, ACCEPTED, ANSWERED -> false;
        };
  }

  void add(Log.LogEntry entry) {
    RunId run = entry.run();
    Optional<RunAddress> address = chats.addressOf(run);
    if (address.isEmpty()) {
      return; // the run was pruned
    }
    switch (entry.event()) {
      case RunEvent.Progressed it -> progress(run, address.get(), it.summary());
      case RunEvent.AttemptLost it ->
          progress(run, address.get(), "Starting again: " + it.reason());
      case RunEvent.TurnEnded it -> turnEnded(run, address.get(), it);
      case RunEvent.SteerRaised it when isVisible(it) ->
          reactOnSteer(run, it.steer(), MessageStatus.STEERED, Optional.empty());
      case RunEvent.SteerEnded it -> ended(run, it.steer(), it.ended(), it.reason());
      case RunEvent.Asked it -> asked(run, address.get(), it, entry.at());
      case RunEvent.AskAnswered it -> closeAsk(run, it.ask(), it.answer());
      case RunEvent.AskClosed it -> closeAsk(run, it.ask(), it.how());
      case RunEvent.RunEnded it -> runEnded(run, address.get(), it);
      case RunEvent.SteerRaised _,
          RunEvent.RunQueued _,
          RunEvent.RunPicked _,
          RunEvent.RunRestarted _,
          RunEvent.AgentStarted _,
          RunEvent.AgentFound _,
          RunEvent.SessionNamed _,
          RunEvent.TurnStarted _,
          RunEvent.Said _,
          RunEvent.ToolStarted _,
          RunEvent.ToolFinished _,
          RunEvent.SteerStored _,
          RunEvent.SteerReturned _,
          RunEvent.SteerCarried _,
          RunEvent.SteerEdited _,
          RunEvent.SteerPromoted _,
          RunEvent.Interrupting _,
          RunEvent.Used _,
          RunEvent.Waiting _,
          RunEvent.Garbage _,
          RunEvent.Quiet _,
          RunEvent.QuietOver _,
          RunEvent.Idle _,
          RunEvent.IdleOver _,
          RunEvent.AlarmDismissed _,
          RunEvent.StopAsked _,
          RunEvent.LimitReached _,
          RunEvent.RunReviewed _,
          RunEvent.CompletionAccepted _,
          RunEvent.CompletionRejected _,
          RunEvent.Denied _,
          RunEvent.LoopMoved _,
          RunEvent.Noted _,
          RunEvent.Unknown _ -> {}
    }
  }

  private void progress(RunId run, RunAddress address, String summary) {
    int turn = tx.run(run).map(Run::turn).orElse(0);
    boolean says = !summary.isBlank() && !summary.equals(Progress.turnStarted(turn));
    if (context.settings().progress() && says) {
      outbox.progress(address.to(), run, turn, VisibleText.prose(summary));
    }
  }

  // Answers

  private void turnEnded(RunId run, RunAddress address, RunEvent.TurnEnded ended) {
    Optional<TurnRecord> turn = tx.turn(run, ended.turn());
    outbox.endProgress(address.to(), run, ended.turn(), context.texts().of(ChatText.FINISHED));
    if (turn.isEmpty() || ended.how() != TurnEnd.COMPLETED) {
      return;
    }
    AnswerAddress asked = AnswerAddress.of(chats, address, turn);
    String answer = AnswerFormat.stripInternalTags(turn.get().answer().orElse(""));
    if (!answer.isEmpty() && !isSentBefore(run, asked.to(), answer, turn.get().openedAt())) {
      outbox.text(asked.to(), answer, asked.replyTo(), Optional.of(run));
    }
    if (ended.turn() == 1) {
      reactOnOpeners(run, address, MessageStatus.DONE);
    }
  }

  /** An agent may have sent the same text to the same chat and thread with a tool in this turn. */
  private boolean isSentBefore(RunId run, ChatAddress to, String answer, Instant since) {
    return chats.outbox(ANY_STATE, Optional.of(run), MAX_SEARCHED).stream()
        .filter(sent -> sent.to().equals(to) && !sent.createdAt().isBefore(since))
        .map(OutboundMessage::content)
        .anyMatch(content ->
            content instanceof OutboundContent.Text(String markdown, var _)
                && markdown.equals(answer));
  }

  private void runEnded(RunId run, RunAddress address, RunEvent.RunEnded ended) {
    switch (ended.state()) {
      case DONE, REVIEW_REQUESTED -> reactOnMessages(run, UNSETTLED, MessageStatus.DONE);
      case STOPPED -> {
        say(run, address, context.texts().of(ChatText.STOPPED));
        reactOnEnd(run, address, MessageStatus.STOPPED);
      }
      case FAILED, FAILED_CONTRACT, FAILED_TIMEOUT -> {
        say(run, address, context.texts().of(ChatText.FAILED, VisibleText.prose(ended.result())));
        reactOnEnd(run, address, MessageStatus.ERROR);
      }
      case QUEUED, RUNNING -> throw new IllegalStateException("not an end: " + ended.state());
    }
  }

  private void say(RunId run, RunAddress address, String text) {
    outbox.text(address.to(), text, address.question(), Optional.of(run));
  }

  /** A question that the first turn has answered stays answered. */
  private void reactOnEnd(RunId run, RunAddress address, MessageStatus status) {
    boolean answered = tx.turn(run, 1).filter(turn -> turn.completed()).isPresent();
    if (!answered) {
      reactOnQuestion(run, address, status);
    }
    reactOnMessages(run, UNSETTLED, status);
  }

  /** Reacts on the question and on the messages before it that opened the run with it. */
  private void reactOnOpeners(RunId run, RunAddress address, MessageStatus status) {
    reactOnQuestion(run, address, status);
    reactOnMessages(run, EnumSet.of(MessageStatus.RUNNING), status);
  }

  private void reactOnQuestion(RunId run, RunAddress address, MessageStatus status) {
    address.question().ifPresent(message -> react(run, address.to(), message, status));
  }

  /** Replaces these reactions on the messages that opened the run and on those that stop it. */
  private void reactOnMessages(RunId run, Set<MessageStatus> shown, MessageStatus status) {
    for (MessageRef ref : chats.messagesOf(run)) {
      ChatAddress to = ConversationReporter.addressOf(ref);
      if (shownOn(to, ref, run).filter(shown::contains).isPresent()) {
        react(run, to, ref.message(), status);
      }
    }
  }

  private Optional<MessageStatus> shownOn(ChatAddress to, MessageRef ref, RunId run) {
    return outbox
        .newestReaction(to, ref.message())
        .filter(newest -> newest.run().equals(Optional.of(run)))
        .map(OutboundMessage::content)
        .filter(OutboundContent.Reaction.class::isInstance)
        .map(reaction -> ((OutboundContent.Reaction) reaction).status());
  }

  // Steers

  private void ended(RunId run, SteerId steer, SteerEnd end, String reason) {
    switch (end) {
      case ANSWERED, CARRIED -> reactOnSteer(run, steer, MessageStatus.DONE, Optional.empty());
      case UNKNOWN ->
          reactOnSteer(
              run,
              steer,
              MessageStatus.UNCONFIRMED,
              Optional.of(context.texts().of(ChatText.UNCONFIRMED, reason)));
      case EXPIRED, REFUSED ->
          reactOnSteer(
              run,
              steer,
              MessageStatus.NOT_DELIVERED,
              Optional.of(context.texts().of(ChatText.NOT_DELIVERED, reason)));
      case WITHDRAWN, SUPERSEDED ->
          reactOnSteer(run, steer, MessageStatus.STOPPED, Optional.empty());
    }
  }

  private void reactOnSteer(RunId run, SteerId steer, MessageStatus status, Optional<String> text) {
    chats
        .messagesOf(steer)
        .forEach(ref ->
            outbox.reaction(
                ConversationReporter.addressOf(ref),
                ref.message(),
                status,
                text,
                Optional.of(run)));
  }

  private void react(RunId run, ChatAddress to, String message, MessageStatus status) {
    outbox.reaction(to, message, status, Optional.empty(), Optional.of(run));
  }

  // Requests for permission

  private void asked(RunId run, RunAddress address, RunEvent.Asked asked, Instant at) {
    String tooLong = tooLong(run);
    boolean isWhole = RequestText.isWhole(asked.detail());
    Map<String, ButtonMeaning> choices = new LinkedHashMap<>();
    if (isWhole) {
      choices.put("Allow", new ButtonMeaning.AnswerAsk(run, asked.ask(), true));
    }
    choices.put("Deny", new ButtonMeaning.AnswerAsk(run, asked.ask(), false));
    ApprovalRequests.sendCard(
        outbox,
        chats,
        context,
        address.to(),
        "Waiting for approval",
        isWhole ? request(asked) : tooLong + "\n\n" + request(asked),
        choices,
        tooLong,
        Optional.of(run),
        at);
  }

  private static String tooLong(RunId run) {
    return "This request is too long for a message here. Read the whole with midcourse show "
        + run
        + " or on the page, and decide there or with midcourse answer "
        + run
        + " allow (or deny).";
  }

  /** What the agent asks, as code: no Markdown in it can hide or change a part of it. */
  private static String request(RunEvent.Asked asked) {
    String question = CodeFence.of(VisibleText.exactLine(asked.question()));
    return asked.detail().isBlank()
        ? question
        : question + "\n" + CodeFence.of(VisibleText.exact(asked.detail()));
  }

  private void closeAsk(RunId run, String ask, String answer) {
    for (OutboundMessage sent : chats.outbox(ANY_STATE, Optional.of(run), MAX_SEARCHED)) {
      if (sent.content() instanceof OutboundContent.Card card && isAbout(card, run, ask)) {
        outbox.closeCard(sent.id(), VisibleText.prose(answer) + "\n\n" + card.markdown());
      }
    }
  }

  private boolean isAbout(OutboundContent.Card card, RunId run, String ask) {
    List<OutboundContent.Button> buttons = card.buttons();
    return !buttons.isEmpty()
        && chats
            .button(buttons.getFirst().id())
            .map(CardButton::meaning)
            .filter(meaning ->
                meaning instanceof ButtonMeaning.AnswerAsk(RunId of, String id, var _)
                    && of.equals(run)
                    && id.equals(ask))
            .isPresent();
  }
}
