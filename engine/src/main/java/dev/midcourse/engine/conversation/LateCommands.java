package dev.midcourse.engine.conversation;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.route.ChatCommand;
import dev.midcourse.core.chat.route.ChatCommandName;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.prompt.ChatPrompts;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.loop.ChatLoops;
import dev.midcourse.engine.conversation.loop.LoopReporter;
import dev.midcourse.ledger.LedgerReader;
import dev.midcourse.ledger.chat.ChatReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Carries out the parts of a decision that are not part of its transaction: changes of steers that
 * an agent may hold, and decisions about requests.
 *
 * <p>They happen <em>before</em> the message is stored, and each of them may happen twice without
 * another result. So a hub that dies in between does them again when the channel delivers the
 * message again, and nothing is lost.
 */
final class LateCommands {
  static final String WITHDRAWN = "Taken back.";

  private static final Set<ChatCommandName> LATE =
      EnumSet.of(ChatCommandName.APPROVE, ChatCommandName.DENY, ChatCommandName.WITHDRAW);

  private final ConversationContext context;
  private final ApprovalService approvals;
  private final ClickHandler clicks;
  private final LoopReporter loops;

  LateCommands(
      ConversationContext context,
      ApprovalService approvals,
      ClickHandler clicks,
      LoopReporter loops) {
    this.clicks = clicks;
    this.loops = loops;
    this.context = context;
    this.approvals = approvals;
  }

  /** Whether the decision has a part that is not part of its transaction. */
  static boolean concerns(RoutingDecision decision) {
    return decision.actions().stream()
        .anyMatch(action ->
            action instanceof RoutingAction.EditSteer
                || action instanceof RoutingAction.ChooseButton
                || action instanceof RoutingAction.WithdrawSteer
                || action instanceof RoutingAction.DirectLoops
                || (action instanceof RoutingAction.RunCommand(ChatCommand command)
                    && LATE.contains(command.name())));
  }

  /** Returns the sentences for the sender; empty if the decision has no such part. */
  List<String> carryOut(InboundMessage message, RoutingDecision decision) {
    List<String> answers = new ArrayList<>();
    for (RoutingAction action : decision.actions()) {
      try {
        answer(message, action).ifPresent(answers::add);
      } catch (RefusedException refused) {
        answers.add(refused.description());
      }
    }
    return answers;
  }

  private Optional<String> answer(InboundMessage message, RoutingAction action) {
    return switch (action) {
      case RoutingAction.EditSteer it -> {
        context.steering().edit(it.steer(), editedText(message));
        yield Optional.empty();
      }
      case RoutingAction.WithdrawSteer it -> {
        context.steering().withdraw(it.steer(), "its message was deleted");
        yield Optional.empty();
      }
      case RoutingAction.RunCommand it -> command(message, it.command());
      case RoutingAction.ChooseButton it -> Optional.of(choose(message, it.button()));
      case RoutingAction.DirectLoops it -> Optional.of(directLoops(message, it));
      case RoutingAction.Drop _,
          RoutingAction.RequestChannelApproval _,
          RoutingAction.WireChat _,
          RoutingAction.RequestSenderApproval _,
          RoutingAction.StartRun _,
          RoutingAction.ContinueRun _,
          RoutingAction.Debounce _,
          RoutingAction.SteerRun _,
          RoutingAction.Collect _,
          RoutingAction.CancelDebounce _,
          RoutingAction.StopRun _,
          RoutingAction.ChangeWaiting _,
          RoutingAction.Accumulate _,
          RoutingAction.SetSticky _,
          RoutingAction.Tell _,
          RoutingAction.Unknown _ ->
          Optional.empty();
    };
  }

  /** The second choice of the same answer is told who decided, like a second click. */
  private String choose(InboundMessage message, String button) {
    return clicks.click(
        new ButtonClick(
            message.ref(), message.updateKey(), message.sender(), button, message.sentAt()));
  }

  /** The agent reads the edited message under the number of the first one. */
  private SteerText editedText(InboundMessage message) {
    return context
        .ledger()
        .read(r -> {
          RoutedMessage first = r.chats().message(message.ref()).orElseThrow();
          RoutedMessage edited =
              new RoutedMessage(first.number(), message, first.receivedAt(), first.decision());
          return SteerText.of(
              ChatPrompts.messages(List.of(edited), context.zoneOf(r.chats(), message.sender())));
        });
  }

  private Optional<String> command(InboundMessage message, ChatCommand command) {
    return switch (command.name()) {
      case APPROVE -> Optional.of(approve(message, command.argument()));
      case DENY -> Optional.of(decide(message, command.argument(), new ApprovalDecision.Deny()));
      case WITHDRAW -> withdraw(message);
      case STOP,
          STATUS,
          NEW,
          LATER,
          INTERRUPT,
          STEERS,
          QUEUE,
          MUTE,
          LINK,
          TIMEZONE,
          REMOTE_CONTROL,
          AUTOPILOT,
          HELP ->
          Optional.empty();
    };
  }

  /** A loop that is started here reports here. */
  private String directLoops(InboundMessage message, RoutingAction.DirectLoops action) {
    ChatLoops.OrderAnswer answer =
        context
            .loops()
            .carryOut(
                caller(message),
                action.workers(),
                action.order(),
                message.ref().channel()
                    + "/"
                    + message.ref().chat()
                    + "/"
                    + message.ref().message());
    answer.reportsHere().ifPresent(loop -> loops.reportTo(loop, MessageActions.addressOf(message)));
    return answer.text();
  }

  private String approve(InboundMessage message, String argument) {
    String[] words = argument.strip().split("\\s+", 3);
    if (words[0].isEmpty()) {
      return "Send /approve and the id of the request; midcourse approvals lists them.";
    }
    ApprovalDecision decision =
        words.length == 1
            ? new ApprovalDecision.AllowSender()
            : words[1].equals("new") && words.length == 3
                ? new ApprovalDecision.CreateWorker(WorkerName.of(words[2]))
                : new ApprovalDecision.WireTo(WorkerName.of(words[1]));
    return decide(message, words[0], decision);
  }

  private String decide(InboundMessage message, String id, ApprovalDecision decision) {
    if (id.isBlank()) {
      return "Name the request: /deny ID; midcourse approvals lists them.";
    }
    return approvals
        .decide(
            ApprovalId.of(id.strip()),
            decision,
            caller(message),
            message.sender().name(),
            person(message).map(Person::id))
        .text();
  }

  private Caller caller(InboundMessage message) {
    return new Caller.Person(
        person(message)
            .map(Person::id)
            .map(id -> context.ledger().read(r -> r.chats().roles(id)))
            .orElse(List.of()),
        ConversationContext.author(message.sender()));
  }

  private Optional<Person> person(InboundMessage message) {
    return message
        .sender()
        .identity()
        .flatMap(identity -> context.ledger().read(r -> r.chats().personOf(identity)));
  }

  /**
   * Takes back the waiting message that the command replies to, or the newest of the sender. The
   * reason names the command, so that a command that is delivered again takes back nothing more.
   * Returns nothing for a message that waits for others: {@link ChatCommandHandler} takes it back.
   */
  private Optional<String> withdraw(InboundMessage message) {
    String reason = "withdrawn in the chat by message " + message.ref().message();
    boolean done = context.ledger().read(r -> isWithdrawn(r, message, reason));
    if (done) {
      return Optional.of(WITHDRAWN);
    }
    if (context.ledger().read(r -> ownCollected(r, message)).isPresent()) {
      return Optional.empty(); // the transaction of the command takes it
    }
    Optional<SteerId> steer = context.ledger().read(r -> ownWaiting(r, message));
    if (steer.isEmpty()) {
      return Optional.of("You have no message that waits.");
    }
    context.steering().withdraw(steer.get(), reason);
    return Optional.of(WITHDRAWN);
  }

  /** A message that waits to be given together with others. */
  record Collected(ConversationId conversation, RoutedMessage message) {}

  /** The newest message of the sender that waits so, or the one to which the message replies. */
  static Optional<Collected> ownCollected(LedgerReader reading, InboundMessage message) {
    return conversations(reading, message)
        .flatMap(conversation ->
            reading.chats().debounced(conversation.id()).reversed().stream()
                .map(waiting -> new Collected(conversation.id(), waiting)))
        .filter(
            it -> it.message().message().sender().identity().equals(message.sender().identity()))
        .filter(it ->
            message.replyTo().isEmpty()
                || message.replyTo().get().message().equals(it.message().message().ref().message()))
        .findFirst();
  }

  private static boolean isWithdrawn(LedgerReader reading, InboundMessage message, String reason) {
    return newestRuns(reading, message)
        .flatMap(run -> reading.steers(run.id()).stream())
        .flatMap(steer -> steer.ended().stream())
        .anyMatch(end -> end.reason().equals(reason));
  }

  /** The newest runs of the conversations of this chat and thread. */
  private static Stream<Run> newestRuns(LedgerReader reading, InboundMessage message) {
    return conversations(reading, message)
        .flatMap(conversation -> conversation.newestRun().flatMap(reading::run).stream());
  }

  private static Stream<Conversation> conversations(LedgerReader reading, InboundMessage message) {
    ChatReader chats = reading.chats();
    return chats
        .chat(message.ref().channel(), message.ref().chat())
        .map(chat -> chats.wirings(chat.id()))
        .orElse(List.of())
        .stream()
        .flatMap(
            wiring -> chats.conversation(ConversationKey.of(wiring, message.thread())).stream());
  }

  private static Optional<SteerId> ownWaiting(LedgerReader reading, InboundMessage message) {
    if (message.replyTo().isPresent()) {
      MessageRef ref =
          new MessageRef(
              message.ref().channel(), message.ref().chat(), message.replyTo().get().message());
      return reading.chats().steersOf(ref).stream()
          .filter(id -> isOpenOf(reading, id, message))
          .findFirst();
    }
    return newestRuns(reading, message)
        .flatMap(run -> reading.openSteers(run.id()).reversed().stream())
        .map(Steer::id)
        .filter(id -> isOpenOf(reading, id, message))
        .findFirst();
  }

  private static boolean isOpenOf(LedgerReader reading, SteerId id, InboundMessage message) {
    boolean open = reading.steer(id).filter(Steer::open).isPresent();
    List<MessageRef> its = reading.chats().messagesOf(id);
    return open
        && its.size() == 1
        && reading
            .chats()
            .message(its.getFirst())
            .flatMap(stored -> stored.message().sender().identity())
            .equals(message.sender().identity());
  }
}
