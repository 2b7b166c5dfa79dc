package dev.midcourse.core.chat.route;

import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a message of a chat means. It is a total function of the message and the context.
 *
 * <p>The gates, in their order: a message that was seen before or is not of a person has no effect;
 * a stop word or a command controls; a chat that is not known or not wired asks for a worker; a
 * sender who may talk to no worker of the chat meets the chat's policy. Then each wiring decides by
 * itself ({@link WiringRouting}).
 *
 * <p>A sender who may talk to no worker controls nothing either: the stop words and commands of
 * that sender go on to the gates of chat and sender. The one exception is {@code /link}, because
 * its code is the authority.
 */
public final class Routing {
  private final InboundMessage message;
  private final RoutingContext context;
  private final List<GateResult> gates = new ArrayList<>();

  private Routing(InboundMessage message, RoutingContext context) {
    this.message = message;
    this.context = context;
  }

  public static RoutingDecision decide(InboundMessage message, RoutingContext context) {
    Routing routing = new Routing(message, context);
    List<RoutingAction> actions = routing.actions();
    return new RoutingDecision(routing.gates, actions);
  }

  private List<RoutingAction> actions() {
    if (context.seen()) {
      return drop(
          Gate.NOT_SEEN, "The channel has delivered this update before.", DropReason.ALREADY_SEEN);
    }
    pass(Gate.NOT_SEEN, "The update is new.");
    switch (message.sender().kind()) {
      case SELF -> {
        return drop(Gate.PERSON, "Our own account sent the message.", DropReason.OWN_MESSAGE);
      }
      case BOT -> {
        return drop(Gate.PERSON, "Another program sent the message.", DropReason.OTHER_BOT);
      }
      case PERSON -> pass(Gate.PERSON, "A person sent the message.");
    }
    return switch (message.kind()) {
      case MESSAGE -> controlOrTalk();
      case EDIT, DELETION -> change();
    };
  }

  // Control

  private List<RoutingAction> controlOrTalk() {
    Optional<ChatCommand> command = ChatCommand.parse(message.bareText());
    if (command.isPresent() && mayCommand(command.get().name())) {
      pass(Gate.CONTROL, "The message is the command " + command.get().name().word() + ".");
      return command(command.get());
    }
    if (command.isPresent() && !permitted().isEmpty()) {
      fail(Gate.CONTROL, "The sender may not use " + command.get().name().word() + ".");
      return List.of(new RoutingAction.Tell(TellReason.NOT_ALLOWED));
    }
    if (context.choice().isPresent() && mayCommand(ChatCommandName.STATUS)) {
      pass(Gate.CONTROL, "The message is the number of an answer of a card.");
      return List.of(new RoutingAction.ChooseButton(context.choice().get()));
    }
    Optional<RoutingAction> reply = replyToLoop();
    if (reply.isPresent()) {
      pass(Gate.CONTROL, "The message replies to the card of an autopilot loop.");
      return List.of(reply.get());
    }
    if (context.stopWords().matches(message.bareText())) {
      List<RoutingAction> stops = stops();
      if (!stops.isEmpty()) {
        pass(Gate.CONTROL, "The message is a stop word.");
        return stops;
      }
    }
    return switch (context.pace()) {
      case NORMAL -> talk();
      case LIMIT_REACHED -> {
        fail(Gate.PACE, "The sender writes more, or answers faster, than a person would.");
        yield List.of(
            new RoutingAction.Tell(TellReason.TOO_MANY_MESSAGES),
            new RoutingAction.Drop(DropReason.TOO_MANY_MESSAGES));
      }
      case PAUSED ->
          drop(
              Gate.PACE,
              "The sender has reached a limit a short time ago.",
              DropReason.TOO_MANY_MESSAGES);
    };
  }

  private boolean mayCommand(ChatCommandName name) {
    return switch (name) {
      case LINK -> true;
      case APPROVE, DENY -> context.sender().roles().stream().anyMatch(Routing::decidesWhoTalks);
      case STOP,
          STATUS,
          NEW,
          LATER,
          INTERRUPT,
          STEERS,
          WITHDRAW,
          QUEUE,
          MUTE,
          TIMEZONE,
          REMOTE_CONTROL,
          HELP ->
          !context.sender().roles().isEmpty() || !controlled().isEmpty();
      case AUTOPILOT -> !loopWorkers().isEmpty();
    };
  }

  private static boolean decidesWhoTalks(RoleGrant grant) {
    return switch (grant.role()) {
      case OWNER, ADMIN -> true;
      case MEMBER -> false;
    };
  }

  private List<RoutingAction> command(ChatCommand command) {
    return switch (command.name()) {
      case STOP -> {
        List<RoutingAction> stops = stops();
        yield stops.isEmpty() ? List.of(new RoutingAction.Tell(TellReason.NOTHING_TO_STOP)) : stops;
      }
      case LATER, INTERRUPT, NEW -> withText(command);
      case MUTE -> mute(command);
      case AUTOPILOT -> List.of(new RoutingAction.DirectLoops(loopWorkers(), command.argument()));
      case STATUS, STEERS, WITHDRAW, QUEUE, APPROVE, DENY, LINK, TIMEZONE, REMOTE_CONTROL, HELP ->
          List.of(new RoutingAction.RunCommand(command));
    };
  }

  /** The workers of this chat whose loops the sender may direct: only a role gives this right. */
  private List<WorkerName> loopWorkers() {
    return context.wirings().stream()
        .map(wiring -> wiring.wiring().worker())
        .filter(worker -> WiringRouting.hasRole(context.sender(), worker))
        .distinct()
        .toList();
  }

  /**
   * A reply to the card of a loop: a stop word stops it, words about a review are findings, other
   * words steer its next call.
   */
  private Optional<RoutingAction> replyToLoop() {
    if (!(context.replyTarget() instanceof ReplyTarget.OfLoop(var loop, var worker, var review))
        || !loopWorkers().contains(worker)) {
      return Optional.empty();
    }
    String verb =
        context.stopWords().matches(message.bareText())
            ? "stop " + loop
            : (review ? "reject " + loop : "steer " + loop + " --next")
                + "\n"
                + message.bareText().strip();
    return Optional.of(new RoutingAction.DirectLoops(List.of(worker), verb));
  }

  /** A command whose argument is a message for the agent; without one it is answered. */
  private List<RoutingAction> withText(ChatCommand command) {
    List<RoutingAction> actions = new ArrayList<>();
    if (!command.argument().isEmpty()) {
      addressed().forEach(wiring -> wiring.carry(command.name()).ifPresent(actions::add));
    }
    return actions.isEmpty() ? List.of(new RoutingAction.RunCommand(command)) : actions;
  }

  private List<RoutingAction> mute(ChatCommand command) {
    List<RoutingAction> actions = new ArrayList<>();
    controlled().stream()
        .filter(WiringRouting::isSticky)
        .forEach(wiring -> actions.add(new RoutingAction.SetSticky(wiring.conversation(), false)));
    actions.add(new RoutingAction.RunCommand(command));
    return actions;
  }

  /** Stops what the message names: the run it replies to, or everything of its conversations. */
  private List<RoutingAction> stops() {
    List<RoutingAction> actions = new ArrayList<>();
    addressed().forEach(wiring -> actions.addAll(wiring.stops()));
    return actions;
  }

  // Chat

  private List<RoutingAction> talk() {
    if (context.chat().isEmpty() || context.wirings().isEmpty()) {
      return unwired();
    }
    pass(Gate.CHAT, "The chat is wired.");
    if (permitted().isEmpty()) {
      return unknownSender();
    }
    pass(Gate.SENDER, "The sender may talk here.");
    return fanOut();
  }

  private List<RoutingAction> unwired() {
    if (!message.mentioned()) {
      return drop(
          Gate.CHAT,
          "The chat is not wired, and the message does not address the bot.",
          DropReason.CHAT_NOT_WIRED);
    }
    if (context.workers().size() == 1) {
      WorkerName only = context.workers().getFirst();
      if (Authority.objection(caller(), new Action.LetIn(only)).isEmpty()) {
        fail(
            Gate.CHAT,
            "The chat was not wired; " + only + " is the only worker, and the sender may wire it.");
        return List.of(
            new RoutingAction.WireChat(
                only, Engagement.defaultFor(message.chat().kind(), message.chat().threads())));
      }
    }
    fail(Gate.CHAT, "The chat is not wired; somebody with authority is asked for a worker.");
    return List.of(new RoutingAction.RequestChannelApproval(context.chatPending()));
  }

  // Sender

  private List<RoutingAction> unknownSender() {
    if (message.sender().identity().isEmpty()) {
      return drop(Gate.SENDER, "The platform hides the sender.", DropReason.HIDDEN_SENDER);
    }
    return switch (policy()) {
      case STRICT, PUBLIC ->
          drop(
              Gate.SENDER,
              "The sender is unknown, and the chat is strict.",
              DropReason.UNKNOWN_SENDER);
      case REQUEST_APPROVAL -> {
        if (context.senderPending()) {
          yield drop(
              Gate.SENDER, "A request for this sender is pending.", DropReason.APPROVAL_PENDING);
        }
        if (wirings().stream().noneMatch(WiringRouting::engages)) {
          yield drop(
              Gate.SENDER,
              "The sender is unknown, and the message addresses no worker.",
              DropReason.UNKNOWN_SENDER);
        }
        fail(Gate.SENDER, "The sender is unknown; somebody with authority is asked.");
        yield List.of(new RoutingAction.RequestSenderApproval());
      }
    };
  }

  private UnknownSenderPolicy policy() {
    return context.chat().orElseThrow().unknownSenders();
  }

  // Wirings

  private List<RoutingAction> fanOut() {
    List<RoutingAction> actions = new ArrayList<>();
    DropReason reason = DropReason.NOT_ALLOWED;
    boolean stopWord = context.stopWords().matches(message.bareText());
    for (WiringRouting wiring : wirings()) {
      WiringRouting.Result result = wiring.decide(stopWord, repliesToNoRun());
      gates.addAll(result.gates());
      result.actions().stream()
          .filter(action -> isNewAnswer(actions, action))
          .forEach(actions::add);
      reason = furthest(reason, result.dropped().orElse(reason));
    }
    return actions.isEmpty() ? List.of(new RoutingAction.Drop(reason)) : actions;
  }

  /** The sender is told something once, however many wirings say so. */
  private static boolean isNewAnswer(List<RoutingAction> actions, RoutingAction action) {
    return !(action instanceof RoutingAction.Tell) || !actions.contains(action);
  }

  private static DropReason furthest(DropReason one, DropReason other) {
    return rank(one) >= rank(other) ? one : other;
  }

  private static int rank(DropReason reason) {
    return switch (reason) {
      case NOT_ENGAGED -> 2;
      case SENDER_SCOPE -> 1;
      case ALREADY_SEEN,
          OWN_MESSAGE,
          OTHER_BOT,
          HIDDEN_SENDER,
          CHAT_NOT_WIRED,
          UNKNOWN_SENDER,
          APPROVAL_PENDING,
          NOT_ALLOWED,
          NOTHING_TO_CHANGE,
          TOO_MANY_MESSAGES,
          INTERNAL_ERROR ->
          0;
    };
  }

  /** Whether the message replies to us, and no worker of the chat has a run that it replies to. */
  private boolean repliesToNoRun() {
    return switch (context.replyTarget()) {
      case ReplyTarget.None _ -> false;
      case ReplyTarget.Unknown _, ReplyTarget.OfLoop _ -> true;
      case ReplyTarget.OfRuns _ -> wirings().stream().allMatch(it -> it.replied().isEmpty());
    };
  }

  // Edits and deletions

  private List<RoutingAction> change() {
    if (context.original().isEmpty()) {
      return drop(
          Gate.CHAT, "The message that was changed is not known.", DropReason.NOTHING_TO_CHANGE);
    }
    OriginalMessage original = context.original().get();
    Optional<Identity> changer = OriginalMessage.changer(message, original.author());
    if (changer.isEmpty() || !changer.equals(original.author())) {
      return drop(
          Gate.SENDER, "Somebody else sent the message that was changed.", DropReason.NOT_ALLOWED);
    }
    if (permitted().isEmpty()) {
      return drop(Gate.SENDER, "The sender may not talk here.", DropReason.UNKNOWN_SENDER);
    }
    pass(Gate.SENDER, "The sender changes a message of their own.");
    List<RoutingAction> actions = changes(original, message.kind() == InboundKind.DELETION);
    return actions.isEmpty()
        ? List.of(new RoutingAction.Drop(DropReason.NOTHING_TO_CHANGE))
        : actions;
  }

  private static List<RoutingAction> changes(OriginalMessage original, boolean deleted) {
    List<RoutingAction> actions = new ArrayList<>();
    boolean late = !deleted && !original.queuedRuns().isEmpty();
    for (OriginalMessage.BecameSteer steer : original.steers()) {
      if (!steer.changeable()) {
        late = true;
      } else if (deleted) {
        actions.add(new RoutingAction.WithdrawSteer(steer.run(), steer.steer()));
      } else {
        actions.add(new RoutingAction.EditSteer(steer.run(), steer.steer()));
      }
    }
    if (deleted) {
      original
          .queuedRuns()
          .forEach(queued ->
              actions.add(new RoutingAction.StopRun(queued.conversation(), queued.run())));
    }
    original
        .waiting()
        .forEach(conversation ->
            actions.add(new RoutingAction.ChangeWaiting(conversation, original.number(), deleted)));
    if (late) {
      actions.add(new RoutingAction.Tell(TellReason.TOO_LATE_TO_CHANGE));
    }
    return actions;
  }

  // Shared

  private List<WiringRouting> wirings() {
    return context.wirings().stream()
        .map(wiring -> new WiringRouting(message, context, wiring, talksTo(wiring)))
        .toList();
  }

  /** The wirings to whose workers the sender may talk. */
  private List<WiringRouting> permitted() {
    return wirings().stream().filter(WiringRouting::isPermitted).toList();
  }

  /** The wirings whose runs the sender may control: those that take messages of the sender. */
  private List<WiringRouting> controlled() {
    return permitted().stream().filter(WiringRouting::isInScope).toList();
  }

  /** The wirings that a control message is for: of the run it replies to, or all. */
  private List<WiringRouting> addressed() {
    List<WiringRouting> replied =
        controlled().stream().filter(wiring -> wiring.replied().isPresent()).toList();
    return replied.isEmpty() ? controlled() : replied;
  }

  /**
   * Whether the sender may start and steer runs of this worker in this chat: by a role, or because
   * the chat is public and the wiring takes everybody.
   */
  private boolean talksTo(WiringContext wiring) {
    boolean isPublic =
        context
            .chat()
            .filter(chat -> chat.unknownSenders() == UnknownSenderPolicy.PUBLIC)
            .isPresent();
    return isPublic || WiringRouting.hasRole(context.sender(), wiring.wiring().worker());
  }

  private Caller caller() {
    return new Caller.Person(context.sender().roles(), Author.person("chat"));
  }

  private void pass(Gate gate, String reason) {
    gates.add(new GateResult(gate, true, Optional.empty(), reason));
  }

  private void fail(Gate gate, String reason) {
    gates.add(new GateResult(gate, false, Optional.empty(), reason));
  }

  private List<RoutingAction> drop(Gate gate, String why, DropReason reason) {
    fail(gate, why);
    return List.of(new RoutingAction.Drop(reason));
  }
}
