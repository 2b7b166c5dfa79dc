package dev.midcourse.proof.soak;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.SessionId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Rehearsal agents inside the hub that can be made to forget. What twins keep of their
 * conversations, a real agent keeps in a process of its own, so it is not the hub's.
 */
final class FreshTwins implements Driver, AutoCloseable {
  private volatile InProcessRehearsal twins = fresh();

  private static InProcessRehearsal fresh() {
    return new InProcessRehearsal(Duration.ofMillis(20));
  }

  /** Every conversation is gone; none may be under way. */
  void forget() {
    twins.close();
    twins = fresh();
  }

  @Override
  public Finding find() {
    return twins.find();
  }

  @Override
  public Agent start(Order order, Ear ear) {
    return twins.start(order, ear);
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return twins.attach(order, from, ear);
  }

  @Override
  public Optional<Set<String>> recorded(Order order, SessionId session, Set<String> passages) {
    return twins.recorded(order, session, passages);
  }

  @Override
  public void close() {
    twins.close();
  }
}
