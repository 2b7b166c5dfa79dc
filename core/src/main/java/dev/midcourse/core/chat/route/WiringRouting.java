package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.ReplyTarget.RepliedRun;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.SteerMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the decision that belongs to one wiring: sender scope, engage mode, and what an
 * engaged message becomes. No other wiring of the chat changes its result.
 *
 * @param isPermitted whether the sender may talk to the worker
 */
record WiringRouting(
    InboundMessage message, RoutingContext context, WiringContext state, boolean isPermitted) {

  /** The gates and actions of one wiring; {@code dropped} if it has no action. */
  record Result(
      List<GateResult> gates, List<RoutingAction> actions, Optional<DropReason> dropped) {}

  static boolean hasRole(SenderContext sender, WorkerName worker) {
    return sender.roles().stream().anyMatch(grant -> grant.covers(worker));
  }

  Result decide(boolean stopWord, boolean repliesToNoRun) {
    if (!isPermitted) {
      return dropped(
          Gate.SENDER, "The sender has no role for this worker.", DropReason.NOT_ALLOWED);
    }
    if (!isInScope()) {
      return dropped(
          Gate.SENDER_SCOPE,
          "The wiring takes only messages of known people.",
          DropReason.SENDER_SCOPE);
    }
    GateResult scope = gate(Gate.SENDER_SCOPE, true, "The wiring takes messages of this sender.");
    if (!engages()) {
      return ignored(scope);
    }
    GateResult engaged = gate(Gate.ENGAGE, true, "The worker engages: " + engageReason() + ".");
    return new Result(
        List.of(scope, engaged), engagedActions(stopWord, repliesToNoRun), Optional.empty());
  }

  private Result ignored(GateResult scope) {
    GateResult gate = gate(Gate.ENGAGE, false, "The message does not address the worker.");
    return switch (wiring().ignored()) {
      case ACCUMULATE ->
          new Result(
              List.of(scope, gate),
              List.of(new RoutingAction.Accumulate(conversation(), wiring().id())),
              Optional.empty());
      case DROP -> new Result(List.of(scope, gate), List.of(), Optional.of(DropReason.NOT_ENGAGED));
    };
  }

  private List<RoutingAction> engagedActions(boolean stopWord, boolean repliesToNoRun) {
    if (stopWord) {
      return List.of(new RoutingAction.Tell(TellReason.NOTHING_TO_STOP));
    }
    if (repliesToNoRun) {
      return List.of(new RoutingAction.Tell(TellReason.UNKNOWN_REPLY));
    }
    List<RoutingAction> actions = new ArrayList<>();
    if (becomesSticky()) {
      actions.add(new RoutingAction.SetSticky(conversation(), true));
    }
    actions.add(meaning());
    return actions;
  }

  /** The table of meanings of an engaged message. */
  private RoutingAction meaning() {
    if (replied().isPresent()) {
      return replyMeaning(replied().get());
    }
    if (state.live().isPresent()) {
      LiveRun live = state.live().get();
      boolean inItsThread = message.thread().isPresent() && message.thread().equals(live.thread());
      return give(conversation(), live, inItsThread ? liveRunMode() : SteerMode.FOLLOW_UP);
    }
    return wiring().debounce().isPositive()
        ? new RoutingAction.Debounce(conversation(), wiring().id())
        : new RoutingAction.StartRun(conversation(), wiring().id(), false);
  }

  /**
   * A reply to a live run steers it. A reply to a finished run continues its session, unless a
   * later run of the conversation has the session: then it is a follow-up of that run, because two
   * agents never use one session.
   */
  private RoutingAction replyMeaning(RepliedRun replied) {
    if (replied.live().isEmpty()) {
      return new RoutingAction.ContinueRun(replied.conversation(), wiring().id(), replied.run());
    }
    return give(
        replied.conversation(),
        replied.live().get(),
        replied.isLive() ? liveRunMode() : SteerMode.FOLLOW_UP);
  }

  private SteerMode liveRunMode() {
    return switch (wiring().onLiveRun()) {
      case STEER -> SteerMode.STEER;
      case INTERRUPT -> SteerMode.INTERRUPT;
      case FOLLOW_UP, COLLECT -> SteerMode.FOLLOW_UP;
    };
  }

  /**
   * A message for the time after the turn is a steer of its own, or one of those that the wiring
   * collects while the agent works.
   */
  private RoutingAction give(ConversationKey conversation, LiveRun live, SteerMode mode) {
    int position = live.takesNow() ? 0 : live.waiting() + 1;
    boolean collected =
        mode == SteerMode.FOLLOW_UP
            && wiring().onLiveRun() == LiveRunPolicy.COLLECT
            && !live.takesNow();
    return collected
        ? new RoutingAction.Collect(conversation, live.run(), position)
        : new RoutingAction.SteerRun(conversation, live.run(), mode, position);
  }

  /** What the text of a command becomes; empty if the command cannot be carried out now. */
  Optional<RoutingAction> carry(ChatCommandName command) {
    Optional<LiveRun> live = replied().isPresent() ? replied().get().live() : state.live();
    ConversationKey target = replied().map(RepliedRun::conversation).orElse(conversation());
    return switch (command) {
      case LATER ->
          Optional.of(
              live.map(run -> give(target, run, SteerMode.FOLLOW_UP))
                  .orElseGet(() -> start(false)));
      case INTERRUPT ->
          Optional.of(
              live.map(run -> give(target, run, SteerMode.INTERRUPT))
                  .orElseGet(() -> start(false)));
      case NEW -> live.isPresent() ? Optional.empty() : Optional.of(start(true));
      case STOP,
          STATUS,
          STEERS,
          WITHDRAW,
          QUEUE,
          MUTE,
          APPROVE,
          DENY,
          LINK,
          TIMEZONE,
          REMOTE_CONTROL,
          AUTOPILOT,
          HELP ->
          Optional.empty();
    };
  }

  private RoutingAction start(boolean fresh) {
    return new RoutingAction.StartRun(conversation(), wiring().id(), fresh);
  }

  /** What a stop ends here: the live run, and the messages that wait to open one. */
  List<RoutingAction> stops() {
    List<RoutingAction> actions = new ArrayList<>();
    if (replied().isPresent()) {
      RepliedRun run = replied().get();
      run.live()
          .ifPresent(
              live -> actions.add(new RoutingAction.StopRun(run.conversation(), live.run())));
      return actions;
    }
    state
        .live()
        .ifPresent(live -> actions.add(new RoutingAction.StopRun(conversation(), live.run())));
    if (state.debouncing()) {
      actions.add(new RoutingAction.CancelDebounce(conversation()));
    }
    return actions;
  }

  /** Whether the message addresses the worker by the rule of the wiring, or replies to its run. */
  boolean engages() {
    return repliesToUs() || engagesByMode();
  }

  private boolean engagesByMode() {
    return switch (wiring().engagement().mode()) {
      case PATTERN -> wiring().engagement().pattern().orElseThrow().matches(message.text());
      case MENTION -> message.mentioned();
      case MENTION_STICKY -> message.mentioned() || isSticky();
    };
  }

  private boolean repliesToUs() {
    return replied().isPresent() || context.replyTarget() instanceof ReplyTarget.Unknown;
  }

  private String engageReason() {
    if (repliesToUs()) {
      return "the message replies to us";
    }
    return switch (wiring().engagement().mode()) {
      case PATTERN -> "the text matches the pattern";
      case MENTION -> "the message mentions the bot";
      case MENTION_STICKY ->
          message.mentioned()
              ? "the message mentions the bot"
              : "a permitted person mentioned the bot in this thread before";
    };
  }

  /** A thread becomes sticky by a mention of a permitted person, and by nothing else. */
  private boolean becomesSticky() {
    return wiring().engagement().mode() == EngageMode.MENTION_STICKY
        && message.mentioned()
        && message.chat().kind() == ChatKind.GROUP
        && conversation().thread().isPresent()
        && !state.sticky();
  }

  /** Stickiness belongs to a thread, so a conversation of a whole chat is never sticky. */
  boolean isSticky() {
    return state.sticky() && conversation().thread().isPresent();
  }

  /** Whether the wiring takes messages of this sender. */
  boolean isInScope() {
    return switch (wiring().senderScope()) {
      case ALL -> true;
      case KNOWN -> hasRole(context.sender(), wiring().worker());
    };
  }

  /** The run of this worker to which the message replies. */
  Optional<RepliedRun> replied() {
    return switch (context.replyTarget()) {
      case ReplyTarget.None _, ReplyTarget.Unknown _, ReplyTarget.OfLoop _ -> Optional.empty();
      case ReplyTarget.OfRuns(List<RepliedRun> runs) ->
          runs.stream()
              .filter(run -> run.conversation().worker().equals(wiring().worker()))
              .findFirst();
    };
  }

  ConversationKey conversation() {
    return ConversationKey.of(wiring(), message.thread());
  }

  private Wiring wiring() {
    return state.wiring();
  }

  private Result dropped(Gate gate, String why, DropReason reason) {
    return new Result(List.of(gate(gate, false, why)), List.of(), Optional.of(reason));
  }

  private GateResult gate(Gate gate, boolean passed, String reason) {
    return new GateResult(gate, passed, Optional.of(wiring().worker()), reason);
  }
}
