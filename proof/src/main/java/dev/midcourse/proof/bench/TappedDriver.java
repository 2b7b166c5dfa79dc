package dev.midcourse.proof.bench;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.id.SteerId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A driver that notes the moment at which each steer was in its agent's input. */
final class TappedDriver implements Driver {
  private final Driver driver;
  private final Map<SteerId, Long> written;

  TappedDriver(Driver driver) {
    this(driver, new ConcurrentHashMap<>());
  }

  /** One that notes them here. */
  TappedDriver(Driver driver, Map<SteerId, Long> written) {
    this.driver = driver;
    this.written = written;
  }

  /** When the steer was written, in nanoseconds of {@link System#nanoTime}; null if not yet. */
  Map<SteerId, Long> written() {
    return written;
  }

  @Override
  public ProgramLookup find() {
    return driver.find();
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    return new Tapped(driver.start(spec, listener));
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return new Tapped(driver.attach(spec, from, listener));
  }

  private final class Tapped implements Agent {
    private final Agent agent;

    Tapped(Agent agent) {
      this.agent = agent;
    }

    @Override
    public WriteResult steer(SteerId steer, String message) {
      WriteResult sent = agent.steer(steer, message);
      written.put(steer, System.nanoTime());
      return sent;
    }

    @Override
    public long pid() {
      return agent.pid();
    }

    @Override
    public WriteResult prompt(int number, String message) {
      return agent.prompt(number, message);
    }

    @Override
    public WriteResult interrupt() {
      return agent.interrupt();
    }

    @Override
    public WriteResult withdraw(SteerId steer) {
      return agent.withdraw(steer);
    }

    @Override
    public WriteResult answer(String ask, QuestionAnswer answer) {
      return agent.answer(ask, answer);
    }

    @Override
    public WriteResult barrier(String name) {
      return agent.barrier(name);
    }

    @Override
    public Ended end(StopTimeouts timeouts) {
      return agent.end(timeouts);
    }

    @Override
    public void detach() {
      agent.detach();
    }
  }
}
