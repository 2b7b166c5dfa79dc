package dev.midcourse.engine;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Progress;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The owner of one run while an agent works on it. Starts the agent or finds it again, attends it,
 * and is gone when the attempt is over. When the ledger fails it keeps nothing of its own: it reads
 * everything anew and goes on from there, as after a crash.
 */
public final class Supervisor implements Runnable {
  private static final Logger LOG = System.getLogger(Supervisor.class.getName());
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final int MOST_FAILURES = 5;

  private final RunId id;
  private final Parts parts;
  private final Slot slot = new Slot();

  public Supervisor(RunId id, Parts parts) {
    this.id = id;
    this.parts = parts;
  }

  public Slot slot() {
    return slot;
  }

  @Override
  public void run() {
    try {
      boolean attach = false;
      int failures = 0;
      while (true) {
        try {
          attach = attach || alreadyRunning();
          if (!attendOnce(attach)) {
            return;
          }
          failures = 0;
        } catch (Fenced e) {
          LOG.log(Level.INFO, "run {0} is no longer ours: {1}", id, e.getMessage());
          return;
        } catch (RefusedException e) {
          LOG.log(Level.WARNING, "run {0} waits for the ledger: {1}", id, e.getMessage());
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, "attending run " + id + " failed", e);
          if (++failures == MOST_FAILURES) {
            giveUp(e);
            return;
          }
        }
        attach = true;
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean alreadyRunning() {
    return parts
        .ledger()
        .read(reading -> reading.run(id))
        .filter(run -> run.state() == RunState.RUNNING)
        .isPresent();
  }

  /** True when it has to be done again because the ledger did not keep something. */
  private boolean attendOnce(boolean attach) throws InterruptedException {
    Optional<Loaded> loaded = attach ? load() : begin();
    if (loaded.isEmpty()) {
      return false;
    }
    return switch (attend(loaded.get(), attach)) {
      case DONE, LEFT -> false;
      case AGAIN -> true;
    };
  }

  /** What cannot be attended must not hang for ever: its agent is ended and the run failed. */
  private void giveUp(RuntimeException why) {
    Optional<Loaded> loaded = load();
    if (loaded.isEmpty()) {
      return;
    }
    Agent agent = agent(loaded.get(), true);
    agent.end(parts.settings().grace());
    agent.detach();
    String reason = "the hub could not attend it: " + why;
    parts
        .ledger()
        .write(tx -> RunEnds.failed(tx, loaded.get().run(), reason, parts.clock().instant()));
  }

  /** Everything the ledger knows of the run when an attendance begins. */
  private record Loaded(
      Run run, Attempt attempt, Optional<TurnRecord> turn, List<Steer> open, List<Ask> asks) {}

  private Optional<Loaded> begin() {
    return new Picking(parts).pick(id).flatMap(_ -> load());
  }

  private Optional<Loaded> load() {
    return parts
        .ledger()
        .read(reading -> {
          Optional<Run> run = reading.run(id).filter(r -> r.state() == RunState.RUNNING);
          return run.flatMap(r ->
              reading
                  .attempt(id, r.attempt())
                  .map(attempt ->
                      new Loaded(
                          r,
                          attempt,
                          reading.turn(id, r.turn()),
                          reading.openSteers(id),
                          reading.asks(id))));
        });
  }

  private Attendance.Over attend(Loaded loaded, boolean attach) throws InterruptedException {
    Attempt attempt = loaded.attempt();
    Desk desk =
        new Desk(
            parts.ledger(),
            parts.clock(),
            parts.settings().host(),
            loaded.run(),
            attempt,
            loaded.turn(),
            loaded.open());
    Signs signs =
        new Signs(parts.clock().instant(), loaded.run().progress().map(Progress::seq).orElse(0L));
    Hearing hearing =
        new Hearing(
            desk,
            signs,
            parts.settings().progress(),
            turn(loaded),
            attempt.can().orElseGet(() -> expected(loaded)),
            attempt.can().isPresent());
    loaded.asks().stream()
        .filter(ask -> ask.attempt() == attempt.number())
        .forEach(hearing::remember);
    Agent agent = agent(loaded, attach);
    desk.change(attempt.withPid(agent.pid()));
    if (attach) {
      desk.note(
          new RunEvent.AgentFound(attempt.number(), agent.pid(), parts.settings().host().value()));
    }
    Attendance attendance =
        new Attendance(
            desk,
            hearing,
            signs,
            agent,
            slot,
            parts.settings(),
            new Contract(desk, parts.ledger()),
            recall(loaded),
            attach);
    try {
      return attendance.attend();
    } finally {
      agent.detach();
    }
  }

  /** What the agent will be able to do, as far as earlier attempts or its program tell. */
  private Capabilities expected(Loaded loaded) {
    List<Attempt> attempts = parts.ledger().read(reading -> reading.attempts(id));
    return attempts.reversed().stream()
        .flatMap(attempt -> attempt.can().stream())
        .findFirst()
        .orElseGet(() ->
            parts.driver(loaded.run().spec().agent()).find() instanceof Finding.Found found
                ? found.can()
                : Capabilities.NONE);
  }

  private Agent agent(Loaded loaded, boolean attach) {
    Run run = loaded.run();
    Attempt attempt = loaded.attempt();
    Driver driver = parts.driver(run.spec().agent());
    Orders orders = parts.orders();
    int number = attempt.number();
    Ear ear = heard -> slot.fromAgent(number, heard);
    return attach
        ? driver.attach(
            orders.order(run, attempt), new Heard.Place(attempt.offset(), attempt.memo()), ear)
        : driver.start(orders.toBegin(run, attempt), ear);
  }

  private Recall recall(Loaded loaded) {
    Driver driver = parts.driver(loaded.run().spec().agent());
    Order order = parts.orders().order(loaded.run(), loaded.attempt());
    return (session, passages) -> driver.recorded(order, session, passages);
  }

  private static Turn turn(Loaded loaded) {
    int number = loaded.run().turn();
    Optional<TurnRecord> open =
        loaded
            .turn()
            .filter(t -> t.attempt() == loaded.attempt().number())
            .filter(t -> t.endedAt().isEmpty());
    if (open.isEmpty()) {
      return new Turn.Settled(number);
    }
    return open.get().taken() ? new Turn.Running(number) : new Turn.Opening(number);
  }
}
