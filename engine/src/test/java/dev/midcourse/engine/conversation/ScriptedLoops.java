package dev.midcourse.engine.conversation;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.card.ButtonMeaning;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.conversation.loop.ChatLoops;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Loops of a test: it remembers orders and clicks, and answers with what the test says. */
final class ScriptedLoops implements ChatLoops {
  final List<String> orders = new CopyOnWriteArrayList<>();
  final List<String> clicks = new CopyOnWriteArrayList<>();

  /** The loop that an order starts. */
  volatile Optional<LoopId> started = Optional.empty();

  volatile String answer = "It is done.";

  @Override
  public OrderAnswer carryOut(Caller caller, List<WorkerName> workers, String order, String key) {
    orders.add(workers + " " + order);
    return new OrderAnswer(answer, started);
  }

  @Override
  public String click(Caller caller, ButtonMeaning.DirectLoop button) {
    clicks.add(button.loop() + " " + button.choice().label() + " by " + caller.author().origin());
    return answer;
  }
}
