package dev.midcourse.gateway.driver;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.process.os.DirectoryWatcher;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;

/** An agent whose records are followed until it ends or is left to the next hub. */
record FollowedAgent(Agent inner, SeenListener seen, DirectoryWatcher.Registration watch)
    implements Agent {

  @Override
  public long pid() {
    return inner.pid();
  }

  @Override
  public WriteResult prompt(int number, String message) {
    return inner.prompt(number, message);
  }

  @Override
  public WriteResult steer(SteerId steer, String message) {
    return inner.steer(steer, message);
  }

  @Override
  public WriteResult interrupt() {
    return inner.interrupt();
  }

  @Override
  public WriteResult withdraw(SteerId steer) {
    return inner.withdraw(steer);
  }

  @Override
  public WriteResult answer(String ask, AskAnswer answer) {
    return inner.answer(ask, answer);
  }

  @Override
  public WriteResult barrier(String name) {
    return inner.barrier(name);
  }

  @Override
  public void keptTo(long offset) {
    inner.keptTo(offset);
  }

  @Override
  public StopResult end(StopTimeouts timeouts) {
    try {
      return inner.end(timeouts);
    } finally {
      stopFollowing();
    }
  }

  @Override
  public void detach() {
    stopFollowing();
    inner.detach();
  }

  private void stopFollowing() {
    watch.close();
    seen.close();
  }
}
