package dev.midcourse.hub.api.chat;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.route.ChatCommandName;
import dev.midcourse.core.chat.route.DropReason;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.TellReason;
import dev.midcourse.core.steer.SteerMode;

/** Decisions about messages, and messages to people, as one line for people. */
final class DecisionText {
  private static final int MAX_TEXT = 2_000;

  private DecisionText() {}

  static String shortened(String text) {
    return WireNames.cut(text, MAX_TEXT);
  }

  /** Says in a sentence what the action does. */
  static String of(RoutingAction action) {
    return switch (action) {
      case RoutingAction.Drop it -> "Dropped: " + why(it.reason());
      case RoutingAction.RequestChannelApproval it ->
          "Asked which worker takes this chat"
              + (it.replacesStored() ? "; the message replaces the one that asked before" : "");
      case RoutingAction.WireChat it -> "Wired the chat to " + it.worker();
      case RoutingAction.RequestSenderApproval _ -> "Asked whether the sender may talk here";
      case RoutingAction.StartRun it ->
          "Started a run of "
              + it.conversation().worker()
              + (it.fresh() ? " in a new session" : "");
      case RoutingAction.ContinueRun it ->
          "Started a run of " + it.conversation().worker() + " that continues " + it.finished();
      case RoutingAction.Debounce it ->
          "Waits for further messages to " + it.conversation().worker();
      case RoutingAction.Collect it ->
          "Collected for run "
              + it.run()
              + (it.position() > 1 ? ", position " + it.position() : "");
      case RoutingAction.SteerRun it -> steered(it);
      case RoutingAction.CancelDebounce it ->
          "The messages that wait for " + it.conversation().worker() + " start no run";
      case RoutingAction.StopRun it -> "Stopped run " + it.run();
      case RoutingAction.EditSteer it -> "Changed the text of steer " + it.steer();
      case RoutingAction.WithdrawSteer it -> "Withdrew steer " + it.steer();
      case RoutingAction.ChangeWaiting it ->
          (it.deleted() ? "Deleted" : "Changed") + " message " + it.message() + ", which waits";
      case RoutingAction.Accumulate it ->
          "Kept as context for the next run of " + it.conversation().worker();
      case RoutingAction.SetSticky it ->
          (it.sticky() ? "From now on " : "No longer ")
              + it.conversation().worker()
              + (it.sticky() ? " engages" : " engages by itself")
              + " in "
              + place(it.conversation());
      case RoutingAction.RunCommand it ->
          "Command " + (it.command().name().word() + " " + argument(it)).strip();
      case RoutingAction.DirectLoops it -> ("Autopilot: " + it.order()).strip();
      case RoutingAction.ChooseButton _ -> "Chose an answer of a card";
      case RoutingAction.Tell it -> "Told the sender: " + told(it.reason());
      case RoutingAction.Unknown it -> "An action of a newer version: " + it.kind();
    };
  }

  /** A code that links an account is a secret. */
  private static String argument(RoutingAction.RunCommand it) {
    return it.command().name() == ChatCommandName.LINK ? "" : it.command().argument();
  }

  private static String steered(RoutingAction.SteerRun it) {
    String mode =
        it.mode() == SteerMode.FOLLOW_UP ? "a follow-up" : it.mode().wire().replace('_', '-');
    String how = it.mode() == SteerMode.STEER ? "Steered" : "Sent as " + mode + " to";
    return how + " run " + it.run() + (it.position() > 1 ? ", position " + it.position() : "");
  }

  private static String place(ConversationKey key) {
    return key.thread().map(thread -> "thread " + thread).orElse("this chat");
  }

  private static String why(DropReason reason) {
    return switch (reason) {
      case ALREADY_SEEN -> "it was delivered before";
      case OWN_MESSAGE -> "it is our own message";
      case OTHER_BOT -> "another program sent it";
      case HIDDEN_SENDER -> "the platform hides its sender";
      case CHAT_NOT_WIRED -> "the chat has no worker";
      case UNKNOWN_SENDER -> "the sender is unknown here";
      case APPROVAL_PENDING -> "an approval of the sender is pending";
      case SENDER_SCOPE -> "the worker takes messages of known people only";
      case NOT_ENGAGED -> "no worker engages";
      case NOT_ALLOWED -> "the sender may not do this";
      case NOTHING_TO_CHANGE -> "there is nothing to change";
      case TOO_MANY_MESSAGES -> "the sender writes more, or answers faster, than a person would";
      case INTERNAL_ERROR -> "an internal error; the log of the hub has it";
    };
  }

  private static String told(TellReason reason) {
    return switch (reason) {
      case UNKNOWN_REPLY -> "the message replies to no known run";
      case NOTHING_TO_STOP -> "there is no run to stop";
      case NOT_ALLOWED -> "not allowed";
      case TOO_LATE_TO_CHANGE -> "the agent has the message already";
      case TOO_MANY_MESSAGES -> "the sender writes like a program and is not heard for a while";
      case SEND_AGAIN -> "the chat is wired now, and the command is to be sent again";
      case TOO_LONG -> "the message is too long for a run that works";
    };
  }

  /** The text of a message to people, shortened. */
  static String of(OutboundContent content) {
    return shortened(
        switch (content) {
          case OutboundContent.Text it -> it.markdown();
          case OutboundContent.Edit it -> it.markdown();
          case OutboundContent.Reaction it -> it.status().wire();
          case OutboundContent.Card it -> it.title() + ": " + it.markdown();
          case OutboundContent.CloseCard it -> it.markdown();
          case OutboundContent.File it ->
              it.name() + it.caption().map(caption -> ": " + caption).orElse("");
          case OutboundContent.Unknown it -> it.kind();
        });
  }
}
