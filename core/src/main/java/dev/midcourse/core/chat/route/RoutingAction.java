package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.SteerMode;
import java.util.List;

/**
 * One effect of a message. The actions of a message are carried out in the transaction that stores
 * the message, so each happens once or not at all.
 */
public sealed interface RoutingAction {

  /** Nothing but the record of the decision. */
  record Drop(DropReason reason) implements RoutingAction {}

  /** A chat that nobody has wired asks for a worker; a stored message of the chat is replaced. */
  record RequestChannelApproval(boolean replacesStored) implements RoutingAction {}

  /** An owner wrote in an unwired chat and there is one worker: the chat is wired at once. */
  record WireChat(WorkerName worker, Engagement engagement) implements RoutingAction {}

  /** An unknown sender asks to talk to the workers of the chat. */
  record RequestSenderApproval() implements RoutingAction {}

  /**
   * The message opens a run in an idle conversation.
   *
   * @param fresh whether the run begins a new session; otherwise it continues the session of the
   *     conversation, if there is one
   */
  record StartRun(ConversationKey conversation, WiringId wiring, boolean fresh)
      implements RoutingAction {}

  /** The message opens a run that continues the session of a finished one. */
  record ContinueRun(ConversationKey conversation, WiringId wiring, RunId finished)
      implements RoutingAction {}

  /** The message waits for further ones before it opens a run. */
  record Debounce(ConversationKey conversation, WiringId wiring) implements RoutingAction {}

  /**
   * The message becomes a steer of a live run.
   *
   * @param position the place among the messages that wait; 1 is the next; 0: none waits and the
   *     agent is idle, so the message opens a turn now
   */
  record SteerRun(ConversationKey conversation, RunId run, SteerMode mode, int position)
      implements RoutingAction {
    /** Whether the agent is idle, so that the message opens a turn now. */
    public boolean opensTurn() {
      return position == 0;
    }
  }

  /**
   * The message waits until the agent of a live run has ended its turn; then it is given together
   * with the others that wait, as one prompt.
   *
   * @param position the place among the messages that wait
   */
  record Collect(ConversationKey conversation, RunId run, int position) implements RoutingAction {}

  /**
   * The messages that wait for further ones, or for the end of a turn, wait no longer and open no
   * run.
   */
  record CancelDebounce(ConversationKey conversation) implements RoutingAction {}

  /** The run is stopped, also while it is queued. */
  record StopRun(ConversationKey conversation, RunId run) implements RoutingAction {}

  /** The text of a pending steer changes, because its message was edited. */
  record EditSteer(RunId run, SteerId steer) implements RoutingAction {}

  /** A pending steer is withdrawn, because its message was deleted or by a command. */
  record WithdrawSteer(RunId run, SteerId steer) implements RoutingAction {}

  /**
   * A message that waits as context or for the end of a debounce is edited or deleted.
   *
   * @param message the number of the stored message
   */
  record ChangeWaiting(ConversationKey conversation, long message, boolean deleted)
      implements RoutingAction {}

  /** The message is kept as context; it wakes nobody. */
  record Accumulate(ConversationKey conversation, WiringId wiring) implements RoutingAction {}

  /** The thread is sticky from now on, or not any more. */
  record SetSticky(ConversationKey conversation, boolean sticky) implements RoutingAction {}

  /** A command that is answered or carried out without an agent. */
  record RunCommand(ChatCommand command) implements RoutingAction {}

  /**
   * An order about the autopilot loops of these workers. It is carried out before the message is
   * stored, and once, however often the message is delivered.
   *
   * @param order the argument of the command, or the reply to a card in the same form
   */
  record DirectLoops(List<WorkerName> workers, String order) implements RoutingAction {
    public DirectLoops {
      workers = List.copyOf(workers);
    }
  }

  /** The message is the number of an answer of a card; it counts as a click on this button. */
  record ChooseButton(String button) implements RoutingAction {}

  /** The sender is told something, for example that the run of a reply is not known. */
  record Tell(TellReason reason) implements RoutingAction {}

  /** An action that a newer version stored and this one cannot read. It is never decided. */
  record Unknown(String kind, String json) implements RoutingAction {}
}
