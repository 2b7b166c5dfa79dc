package dev.midcourse.engine.conversation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.route.ChatCommandName;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.TellReason;
import dev.midcourse.core.prompt.ChatPrompts;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.engine.queue.StopIntake;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the decision about one stored message, in the transaction that stores it. An action
 * that is refused tells the sender the reason and does not keep the other actions from happening.
 */
final class MessageActions {
  private final ConversationContext context;
  private final Transaction tx;
  private final ChatWriter chats;
  private final WorkerPlans plans;
  private final RoutedMessage stored;
  private final CommitEffects effects;
  private final OutboxWriter outbox;
  private final Instant now;

  MessageActions(
      ConversationContext context,
      Transaction tx,
      WorkerPlans plans,
      RoutedMessage stored,
      CommitEffects effects,
      Instant now) {
    this.context = context;
    this.tx = tx;
    this.chats = tx.chats();
    this.plans = plans;
    this.stored = stored;
    this.effects = effects;
    this.outbox = new OutboxWriter(chats, context.ids(), now);
    this.now = now;
  }

  void carryOut(List<RoutingAction> actions) {
    for (RoutingAction action : actions) {
      try {
        carryOut(action);
      } catch (RefusedException refused) {
        react(MessageStatus.NOT_DELIVERED, ChatText.NOT_STARTED, refused.description());
      }
    }
    effects.channels.addAll(outbox.channels());
  }

  private void carryOut(RoutingAction action) {
    switch (action) {
      case RoutingAction.StartRun it -> start(it.conversation(), it.fresh());
      case RoutingAction.ContinueRun it -> continueRun(it);
      case RoutingAction.Debounce it -> debounce(it.conversation(), it.wiring());
      case RoutingAction.CancelDebounce it -> cancelDebounce(it.conversation());
      case RoutingAction.Collect it -> collect(it);
      case RoutingAction.SteerRun it -> steer(it);
      case RoutingAction.StopRun it -> stop(it);
      case RoutingAction.Accumulate it ->
          chats.accumulate(stored.number(), conversation(it.conversation()).id());
      case RoutingAction.SetSticky it -> setSticky(it.conversation(), it.sticky());
      case RoutingAction.ChangeWaiting it -> changeWaiting(it);
      case RoutingAction.RunCommand it -> {
        new ChatCommandHandler(context, tx, outbox, stored, now).handle(it.command());
        effects.linked |= it.command().name() == ChatCommandName.LINK;
      }
      case RoutingAction.Tell it -> tell(it.reason());
      case RoutingAction.RequestChannelApproval _ -> approvals().requestForChat(message());
      case RoutingAction.RequestSenderApproval _ -> approvals().requestForSender(message());
      // Steers that an agent may have are changed before the message is stored (SteerChanges);
      // a chat is wired before the decision that is stored here was made.
      case RoutingAction.EditSteer _,
          RoutingAction.WithdrawSteer _,
          RoutingAction.WireChat _,
          RoutingAction.ChooseButton _,
          RoutingAction.DirectLoops _,
          RoutingAction.Drop _,
          RoutingAction.Unknown _ -> {}
    }
  }

  private ApprovalRequests approvals() {
    return new ApprovalRequests(context, chats, outbox, effects, plans, now);
  }

  // Runs

  private void start(ConversationKey key, boolean fresh) {
    Conversation conversation = conversation(key);
    if (isBeingStopped(conversation)) {
      waitFor(conversation, Duration.ZERO);
      return;
    }
    if (fresh) {
      chats.forgetContext(conversation.id(), stored.number());
    }
    Optional<Run> newest = conversation.newestRun().flatMap(tx::run);
    startRun(conversation, fresh ? Optional.empty() : newest, List.of(stored));
  }

  private void continueRun(RoutingAction.ContinueRun action) {
    Conversation conversation = conversation(action.conversation());
    if (isBeingStopped(conversation)) {
      waitFor(conversation, Duration.ZERO);
    } else {
      startRun(conversation, tx.run(action.finished()), List.of(stored));
    }
  }

  /**
   * Whether the run of the conversation still ends. A message then opens the next one when it has
   * ended, because two agents never use one session.
   */
  private boolean isBeingStopped(Conversation conversation) {
    return conversation.newestRun().flatMap(tx::run).filter(run -> run.state().live()).isPresent();
  }

  /** Opens a run with the messages, and the context that waits in the conversation before them. */
  private void startRun(
      Conversation conversation, Optional<Run> continued, List<RoutedMessage> messages) {
    ConversationRuns runs = new ConversationRuns(context, tx, plans, effects, now);
    Run run = runs.start(conversation, continued, messages, address());
    effects.queued = true;
    outbox.reaction(
        address(),
        message().ref().message(),
        MessageStatus.RUNNING,
        Optional.empty(),
        Optional.of(run.id()));
  }

  private void steer(RoutingAction.SteerRun action) {
    List<RoutedMessage> messages = messages(action);
    SteerRequest request =
        SteerRequest.steer(SteerText.of(ChatPrompts.messages(messages, zone())))
            .withMode(action.mode());
    switch (context.steering().store(tx, action.run(), author(), request, now)) {
      case IntakeDecision.Store(var steer, var _) -> {
        chats.connect(message().ref(), action.run(), Optional.of(steer.id()));
        effects.steers.add(steer);
        tx.run(action.run()).ifPresent(run -> effects.addFiles(run, messages));
        acknowledge(action);
      }
      case IntakeDecision.Repeat _ -> {}
      case IntakeDecision.Refuse(Problem problem) ->
          react(MessageStatus.NOT_DELIVERED, ChatText.NOT_DELIVERED, problem.message());
    }
  }

  /** A message that opens a turn of an idle run takes the context along, as a new run would. */
  private List<RoutedMessage> messages(RoutingAction.SteerRun action) {
    return action.opensTurn()
        ? new ConversationRuns(context, tx, plans, effects, now)
            .withContext(conversation(action.conversation()), List.of(stored))
        : List.of(stored);
  }

  private void acknowledge(RoutingAction.SteerRun action) {
    Optional<String> text =
        action.opensTurn()
            ? Optional.empty()
            : Optional.of(
                action.mode() == SteerMode.FOLLOW_UP
                    ? context.texts().queued(action.position(), action.run().value())
                    : context.texts().of(ChatText.STEERED));
    outbox.reaction(
        address(),
        message().ref().message(),
        action.opensTurn() ? MessageStatus.RUNNING : MessageStatus.QUEUED,
        text,
        Optional.of(action.run()));
  }

  private void stop(RoutingAction.StopRun action) {
    Run run = tx.run(action.run()).orElseThrow();
    chats.connect(message().ref(), run.id(), Optional.empty());
    StopIntake.request(tx, run, author(), now);
    effects.stops.add(run.id());
    outbox.reaction(
        address(),
        message().ref().message(),
        MessageStatus.QUEUED,
        Optional.of(context.texts().of(ChatText.STOPPING)),
        Optional.of(run.id()));
  }

  // Messages that wait

  private void debounce(ConversationKey key, WiringId wiring) {
    Duration debounce = chats.wiring(wiring).map(Wiring::debounce).orElse(Duration.ZERO);
    waitFor(conversation(key), debounce);
    outbox.reaction(
        address(),
        message().ref().message(),
        MessageStatus.QUEUED,
        Optional.empty(),
        Optional.empty());
  }

  /** The message belongs to the run, so that the end of the run finds it if nobody gave it. */
  private void collect(RoutingAction.Collect action) {
    chats.connect(message().ref(), action.run(), Optional.empty());
    waitFor(conversation(action.conversation()), Duration.ZERO);
    outbox.reaction(
        address(),
        message().ref().message(),
        MessageStatus.QUEUED,
        Optional.of(context.texts().collected(action.position(), action.run().value())),
        Optional.empty());
  }

  private void waitFor(Conversation conversation, Duration debounce) {
    chats.debounce(stored.number(), conversation.id());
    effects.debounces.put(conversation.id(), now.plus(debounce));
  }

  private void cancelDebounce(ConversationKey key) {
    Conversation conversation = conversation(key);
    for (RoutedMessage waiting : chats.debounced(conversation.id())) {
      chats.takeContext(conversation.id(), List.of(waiting.number()));
      outbox.reaction(
          addressOf(waiting.message()),
          waiting.message().ref().message(),
          MessageStatus.STOPPED,
          Optional.of(context.texts().of(ChatText.STOPPED)),
          Optional.empty());
    }
    react(MessageStatus.STOPPED, ChatText.STOPPED, "");
  }

  private void changeWaiting(RoutingAction.ChangeWaiting action) {
    ConversationId conversation = conversation(action.conversation()).id();
    boolean debounced =
        chats.debounced(conversation).stream().anyMatch(it -> it.number() == action.message());
    boolean waits = chats.waitingIn(action.message()).contains(conversation);
    chats.takeContext(conversation, List.of(action.message()));
    if (action.deleted() || !waits) {
      return;
    }
    if (debounced) {
      chats.debounce(stored.number(), conversation);
    } else {
      chats.accumulate(stored.number(), conversation);
    }
  }

  private void setSticky(ConversationKey key, boolean sticky) {
    Conversation old = conversation(key);
    chats.put(new Conversation(old.id(), old.key(), old.newestRun(), sticky, old.createdAt()));
  }

  // People

  private void tell(TellReason reason) {
    ChatText text =
        switch (reason) {
          case UNKNOWN_REPLY -> ChatText.UNKNOWN_REPLY;
          case NOTHING_TO_STOP -> ChatText.NOTHING_TO_STOP;
          case NOT_ALLOWED -> ChatText.NOT_ALLOWED;
          case TOO_LATE_TO_CHANGE -> ChatText.TOO_LATE_TO_CHANGE;
          case TOO_MANY_MESSAGES -> ChatText.TOO_MANY_MESSAGES;
          case SEND_AGAIN -> ChatText.SEND_AGAIN;
          case TOO_LONG -> ChatText.TOO_LONG;
        };
    outbox.text(
        address(),
        context.texts().of(text, "at most 64 KiB; send it as a file"),
        Optional.of(message().ref().message()),
        Optional.empty());
  }

  private void react(MessageStatus status, ChatText text, String reason) {
    outbox.reaction(
        address(),
        message().ref().message(),
        status,
        Optional.of(context.texts().of(text, reason)),
        Optional.empty());
  }

  private Conversation conversation(ConversationKey key) {
    return chats
        .conversation(key)
        .orElseGet(() -> {
          Conversation made =
              new Conversation(
                  ConversationId.of(context.newId()), key, Optional.empty(), false, now);
          chats.put(made);
          return made;
        });
  }

  private ZoneId zone() {
    return context.zoneOf(chats, message().sender());
  }

  private Author author() {
    return ConversationContext.author(message().sender());
  }

  private InboundMessage message() {
    return stored.message();
  }

  private ChatAddress address() {
    return addressOf(message());
  }

  static ChatAddress addressOf(InboundMessage message) {
    return new ChatAddress(message.ref().channel(), message.ref().chat(), message.thread());
  }
}
