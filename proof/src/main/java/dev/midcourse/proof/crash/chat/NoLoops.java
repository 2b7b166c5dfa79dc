package dev.midcourse.proof.crash.chat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.conversation.loop.ChatLoops;
import java.util.List;

/** A hub without autopilot loops. */
final class NoLoops implements ChatLoops {
  @Override
  public OrderAnswer carryOut(Caller caller, List<WorkerName> workers, String order, String key) {
    return OrderAnswer.of("There are no loops here.");
  }

  @Override
  public String click(Caller caller, ButtonMeaning.DirectLoop button) {
    return "There are no loops here.";
  }
}
