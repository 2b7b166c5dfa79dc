package dev.midcourse.engine.supervise;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.engine.attempt.ActivityTracker;
import dev.midcourse.engine.attempt.AttemptContext;
import dev.midcourse.engine.attempt.AttemptState;
import dev.midcourse.engine.attempt.AttemptUnitOfWork;
import dev.midcourse.engine.attempt.BoundedCommitter;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.ledger.Log;
import java.util.List;

/** Starts the agent of an attempt, or attaches to it, and builds the loop that attends it. */
final class AttemptFactory {
  /** Tools that were started longer ago are taken for finished. */
  private static final int MAX_TOOL_EVENTS = 200;

  private final EngineContext context;
  private final SupervisorMailbox mailbox;
  private final BoundedCommitter committer;
  private final Runnable onIdle;

  /**
   * One factory for each supervisor: all its attempts share the mailbox and the commit bound.
   *
   * @param onIdle called when the agent has begun to wait for the next message
   */
  AttemptFactory(EngineContext context, SupervisorMailbox mailbox, Runnable onIdle) {
    this.context = context;
    this.mailbox = mailbox;
    this.committer = new BoundedCommitter(mailbox);
    this.onIdle = onIdle;
  }

  /** For an attempt that begins. */
  AttemptLoop start(AttemptSnapshot snapshot) {
    return loop(snapshot, false);
  }

  /** For an attempt whose agent another hub, or an earlier loop of this one, has started. */
  AttemptLoop attach(AttemptSnapshot snapshot) {
    return loop(snapshot, true);
  }

  Agent attachAgent(AttemptSnapshot snapshot) {
    Attempt attempt = snapshot.attempt();
    return driver(snapshot)
        .attach(
            spec(snapshot),
            new AgentEventBatch.OutputCheckpoint(attempt.offset(), attempt.memo()),
            listener(attempt.number()));
  }

  private Agent startAgent(AttemptSnapshot snapshot) {
    AttemptSpec spec = context.attemptSpecs().specWithFolder(snapshot.run(), snapshot.attempt());
    return driver(snapshot).start(spec, listener(snapshot.attempt().number()));
  }

  private AgentListener listener(int attempt) {
    return batch -> mailbox.offerFromAgent(attempt, batch);
  }

  private Driver driver(AttemptSnapshot snapshot) {
    return context.driver(snapshot.run().spec().agent());
  }

  private AttemptSpec spec(AttemptSnapshot snapshot) {
    return context.attemptSpecs().spec(snapshot.run(), snapshot.attempt());
  }

  private AttemptLoop loop(AttemptSnapshot snapshot, boolean attached) {
    Attempt attempt = snapshot.attempt();
    AttemptUnitOfWork unitOfWork =
        new AttemptUnitOfWork(
            context.ledger(),
            context.clock(),
            context.settings().host(),
            snapshot.run(),
            attempt,
            snapshot.lastTurn(),
            snapshot.openSteers());
    AttemptState state =
        new AttemptState(
            new ActivityTracker(unitOfWork.now(), attached && wasQuiet(attempt)),
            snapshot.turn(),
            attempt.can().orElseGet(() -> expected(snapshot)),
            attempt.can().isPresent());
    if (attached) {
      findRunningTools(attempt, state.activity());
    }
    Agent agent = attached ? attachAgent(snapshot) : startAgent(snapshot);
    unitOfWork.change(attempt.withPid(agent.pid()));
    if (attached) {
      unitOfWork.append(
          new RunEvent.AgentFound(
              attempt.number(), agent.pid(), context.settings().host().value()));
    }
    Driver driver = driver(snapshot);
    AttemptSpec spec = spec(snapshot);
    if (!attached && attempt.number() == 1) {
      driver.notes(spec).forEach(note -> unitOfWork.append(new RunEvent.Noted(note)));
    }
    return new AttemptLoop(
        new AttemptContext(unitOfWork, state, agent, context.settings(), mailbox, committer),
        snapshot.openAsks(),
        new CompletionCheck(unitOfWork, context.ledger()),
        (session, passages) -> driver.recorded(spec, session, passages),
        attached,
        onIdle);
  }

  /** Whether the log says that the agent of this attempt is quiet, and not that this is over. */
  private boolean wasQuiet(Attempt attempt) {
    Log.Filter filter =
        Log.Filter.of(attempt.run(), RunEvent.Quiet.class, RunEvent.QuietOver.class);
    return context.ledger().log().last(filter, 1).entries().stream()
        .map(Log.LogEntry::event)
        .anyMatch(
            event -> event instanceof RunEvent.Quiet(int number, _) && number == attempt.number());
  }

  /**
   * Finds the tools that were running when the last supervisor ended, so that they may be silent.
   */
  private void findRunningTools(Attempt attempt, ActivityTracker activity) {
    Log.Filter filter =
        Log.Filter.of(
            attempt.run(),
            RunEvent.ToolStarted.class,
            RunEvent.ToolFinished.class,
            RunEvent.TurnEnded.class);
    for (Log.LogEntry entry : context.ledger().log().last(filter, MAX_TOOL_EVENTS).entries()) {
      if (entry.event() instanceof RunEvent.ToolStarted it && it.attempt() == attempt.number()) {
        activity.startTool(it.call(), it.tool(), it.declaredTimeout(), entry.at());
      } else if (entry.event() instanceof RunEvent.ToolFinished it) {
        activity.finishTool(it.call());
      } else if (entry.event() instanceof RunEvent.TurnEnded) {
        activity.clearTools();
      }
    }
  }

  /** The capabilities that earlier attempts measured, or those that the driver promises. */
  private Capabilities expected(AttemptSnapshot snapshot) {
    List<Attempt> attempts =
        context.ledger().read(reading -> reading.attempts(snapshot.run().id()));
    return attempts.reversed().stream()
        .flatMap(attempt -> attempt.can().stream())
        .findFirst()
        .orElseGet(() ->
            driver(snapshot).find() instanceof ProgramLookup.Found found
                ? found.can()
                : Capabilities.NONE);
  }
}
