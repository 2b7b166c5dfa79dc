package dev.midcourse.core.chat.card;

import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.autopilot.LoopChoice;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;

/** What a click on a button means. The platform knows only the random id of the button. */
public sealed interface ButtonMeaning {

  /** Lets the sender of the request in. */
  record AllowSender(ApprovalId approval) implements ButtonMeaning {}

  /** Wires the chat of the request to this worker. */
  record WireTo(ApprovalId approval, WorkerName worker) implements ButtonMeaning {}

  /** Asks for the name of a new worker for the chat of the request. */
  record NameWorker(ApprovalId approval) implements ButtonMeaning {}

  /** Closes the request; nothing is remembered. */
  record Deny(ApprovalId approval) implements ButtonMeaning {}

  /** Answers a request for permission of the agent of a run. */
  record AnswerAsk(RunId run, String ask, boolean allow) implements ButtonMeaning {}

  /**
   * Decides about an autopilot loop.
   *
   * @param about what the card asked about; a loop that asks something else is not changed
   */
  record DirectLoop(LoopId loop, LoopChoice choice, String about) implements ButtonMeaning {}

  /** A meaning that a newer version stored and this one cannot read. A click on it does nothing. */
  record Unknown(String kind, String json) implements ButtonMeaning {}
}
