package dev.midcourse.engine.conversation.loop;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/** Carries the orders of people in chats about autopilot loops out. Asks who may do what. */
public interface ChatLoops {
  /**
   * The answer to an order.
   *
   * @param reportsHere the loop whose questions and end this chat is told from now on
   */
  record OrderAnswer(String text, Optional<LoopId> reportsHere) {
    public static OrderAnswer of(String text) {
      return new OrderAnswer(text, Optional.empty());
    }
  }

  /**
   * Carries out an order about the loops of these workers. The same order with the same key again
   * starts no second loop and gives no second steer.
   *
   * @param order the argument of {@code /autopilot}
   */
  OrderAnswer carryOut(Caller caller, List<WorkerName> workers, String order, String key);

  /** Carries out a click; a click on the card of an earlier question is told what was decided. */
  String click(Caller caller, ButtonMeaning.DirectLoop button);
}
