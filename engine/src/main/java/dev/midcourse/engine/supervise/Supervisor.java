package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
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
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.engine.SessionRecordReader;
import dev.midcourse.engine.context.AttemptSpecs;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.queue.RunQueue;
import dev.midcourse.engine.queue.RunTermination;
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
  private static final int MAX_FAILURES = 5;

  private final RunId id;
  private final EngineContext context;
  private final SupervisorMailbox mailbox = new SupervisorMailbox();

  public Supervisor(RunId id, EngineContext context) {
    this.id = id;
    this.context = context;
  }

  public SupervisorMailbox slot() {
    return mailbox;
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
        } catch (FencedException e) {
          LOG.log(Level.INFO, "run {0} is no longer ours: {1}", id, e.getMessage());
          return;
        } catch (RefusedException e) {
          LOG.log(Level.WARNING, "run {0} waits for the ledger: {1}", id, e.getMessage());
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, "attending run " + id + " failed", e);
          if (++failures == MAX_FAILURES) {
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
    return context
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
      case FINISHED, DETACHED -> false;
      case RELOAD -> true;
    };
  }

  /** What cannot be attended must not hang for ever: its agent is ended and the run failed. */
  private void giveUp(RuntimeException why) {
    Optional<Loaded> loaded = load();
    if (loaded.isEmpty()) {
      return;
    }
    Agent agent = agent(loaded.get(), true);
    agent.end(context.settings().grace());
    agent.detach();
    String reason = "the hub could not attend it: " + why;
    context
        .ledger()
        .write(
            tx -> RunTermination.failed(tx, loaded.get().run(), reason, context.clock().instant()));
  }

  /** Everything the ledger knows of the run when an attendance begins. */
  private record Loaded(
      Run run, Attempt attempt, Optional<TurnRecord> turn, List<Steer> open, List<Ask> asks) {}

  private Optional<Loaded> begin() {
    return new RunQueue(context).claim(id).flatMap(_ -> load());
  }

  private Optional<Loaded> load() {
    return context
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

  private AttemptLoop.LoopExit attend(Loaded loaded, boolean attach) throws InterruptedException {
    Attempt attempt = loaded.attempt();
    AttemptUnitOfWork unitOfWork =
        new AttemptUnitOfWork(
            context.ledger(),
            context.clock(),
            context.settings().host(),
            loaded.run(),
            attempt,
            loaded.turn(),
            loaded.open());
    ActivityTracker signs =
        new ActivityTracker(
            context.clock().instant(), loaded.run().progress().map(Progress::seq).orElse(0L));
    AgentEventHandler eventHandler =
        new AgentEventHandler(
            unitOfWork,
            signs,
            context.settings().progress(),
            turn(loaded),
            attempt.can().orElseGet(() -> expected(loaded)),
            attempt.can().isPresent());
    loaded.asks().stream()
        .filter(ask -> ask.attempt() == attempt.number())
        .forEach(eventHandler::remember);
    Agent agent = agent(loaded, attach);
    unitOfWork.change(attempt.withPid(agent.pid()));
    if (attach) {
      unitOfWork.append(
          new RunEvent.AgentFound(
              attempt.number(), agent.pid(), context.settings().host().value()));
    }
    AttemptLoop attendance =
        new AttemptLoop(
            unitOfWork,
            eventHandler,
            signs,
            agent,
            mailbox,
            context.settings(),
            new CompletionCheck(unitOfWork, context.ledger()),
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
    List<Attempt> attempts = context.ledger().read(reading -> reading.attempts(id));
    return attempts.reversed().stream()
        .flatMap(attempt -> attempt.can().stream())
        .findFirst()
        .orElseGet(() ->
            context.driver(loaded.run().spec().agent()).find() instanceof ProgramLookup.Found found
                ? found.can()
                : Capabilities.NONE);
  }

  private Agent agent(Loaded loaded, boolean attach) {
    Run run = loaded.run();
    Attempt attempt = loaded.attempt();
    Driver driver = context.driver(run.spec().agent());
    AttemptSpecs orders = context.orders();
    int number = attempt.number();
    AgentListener listener = batch -> mailbox.offerFromAgent(number, batch);
    return attach
        ? driver.attach(
            orders.order(run, attempt),
            new AgentEventBatch.OutputCheckpoint(attempt.offset(), attempt.memo()),
            listener)
        : driver.start(orders.toBegin(run, attempt), listener);
  }

  private SessionRecordReader recall(Loaded loaded) {
    Driver driver = context.driver(loaded.run().spec().agent());
    AttemptSpec spec = context.orders().order(loaded.run(), loaded.attempt());
    return (session, passages) -> driver.recorded(spec, session, passages);
  }

  private static TurnState turn(Loaded loaded) {
    int number = loaded.run().turn();
    Optional<TurnRecord> open =
        loaded
            .turn()
            .filter(t -> t.attempt() == loaded.attempt().number())
            .filter(t -> t.endedAt().isEmpty());
    if (open.isEmpty()) {
      return new TurnState.Settled(number);
    }
    return open.get().taken() ? new TurnState.Running(number) : new TurnState.Opening(number);
  }
}
