package dev.midcourse.proof.bench;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
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
  public Finding find() {
    return driver.find();
  }

  @Override
  public Agent start(Order order, Ear ear) {
    return new Tapped(driver.start(order, ear));
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return new Tapped(driver.attach(order, from, ear));
  }

  private final class Tapped implements Agent {
    private final Agent agent;

    Tapped(Agent agent) {
      this.agent = agent;
    }

    @Override
    public Sent steer(SteerId steer, String message) {
      Sent sent = agent.steer(steer, message);
      written.put(steer, System.nanoTime());
      return sent;
    }

    @Override
    public long pid() {
      return agent.pid();
    }

    @Override
    public Sent prompt(int number, String message) {
      return agent.prompt(number, message);
    }

    @Override
    public Sent interrupt() {
      return agent.interrupt();
    }

    @Override
    public Sent withdraw(SteerId steer) {
      return agent.withdraw(steer);
    }

    @Override
    public Sent answer(String ask, Answer answer) {
      return agent.answer(ask, answer);
    }

    @Override
    public Sent barrier(String name) {
      return agent.barrier(name);
    }

    @Override
    public Ended end(Grace grace) {
      return agent.end(grace);
    }

    @Override
    public void detach() {
      agent.detach();
    }
  }
}
