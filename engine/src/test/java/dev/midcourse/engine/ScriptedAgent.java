package dev.midcourse.engine;

import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * An agent whose events the test sends, and which records every message that it gets. It keeps
 * running when a hub leaves, so that the next hub can attach to it.
 */
public final class ScriptedAgent implements Driver {
  public final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> turnedAway = new CopyOnWriteArrayList<>();
  public final List<AttemptSpec> starts = new CopyOnWriteArrayList<>();
  public final List<AgentEventBatch.OutputCheckpoint> attaches = new CopyOnWriteArrayList<>();
  private final AtomicLong offset = new AtomicLong();
  private volatile Optional<AgentListener> listener = Optional.empty();
  private volatile Optional<AgentListener> firstListener = Optional.empty();
  private volatile Capabilities can = Capabilities.FULL;
  private volatile boolean alive;
  private volatile boolean startsByItself = true;
  private volatile boolean tellsItsEnd = true;
  private volatile boolean passesBarriers = true;
  private volatile Optional<List<String>> record = Optional.empty();
  private volatile Agent.WriteResult answer = Agent.WriteResult.WRITTEN;
  private volatile String awaited = "";
  private volatile Runnable onMessage = () -> {};

  public ScriptedAgent that(Capabilities itCan) {
    can = itCan;
    return this;
  }

  public ScriptedAgent slowToStart() {
    startsByItself = false;
    return this;
  }

  /** Its exit is not reported when it is ended. */
  public ScriptedAgent exitingSilently() {
    tellsItsEnd = false;
    return this;
  }

  /** Is too slow to have come to anything that was written. */
  public void passesNoBarrier() {
    passesBarriers = false;
  }

  /** Leaves a record of its conversation, which holds what contains one of these. */
  public void leavesRecordOf(String... texts) {
    record = Optional.of(List.of(texts));
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return record.map(texts ->
        passages.stream()
            .filter(passage -> texts.stream().anyMatch(passage::contains))
            .collect(Collectors.toSet()));
  }

  public void answersWrites(Agent.WriteResult sent) {
    answer = sent;
  }

  /** Runs the action, in the hub's own thread, at each message that begins like this. */
  public void onMessage(String beginning, Runnable then) {
    onMessage = then;
    awaited = beginning;
  }

  public boolean alive() {
    return alive;
  }

  @Override
  public ProgramLookup find() {
    return new ProgramLookup.Found("puppet", "1", can);
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    starts.add(spec);
    alive = true;
    this.listener = Optional.of(listener);
    firstListener = firstListener.or(() -> Optional.of(listener));
    if (startsByItself) {
      started();
    }
    return new Strings();
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    attaches.add(from);
    this.listener = Optional.of(listener);
    if (!alive) {
      says(new AgentEvent.Exited(-1, "it is gone"));
    }
    return new Strings();
  }

  public void started() {
    says(new AgentEvent.Started("1", can, Optional.of(SessionId.of("session-1"))));
  }

  public void says(AgentEvent... events) {
    AgentEventBatch batch =
        new AgentEventBatch(
            List.of(events),
            new AgentEventBatch.OutputCheckpoint(offset.addAndGet(events.length), "memo"));
    listener.orElseThrow().onEvents(batch);
  }

  /** Sends an event of the process of the first attempt. */
  public void lateWordOfTheFirst(AgentEvent... events) {
    firstListener
        .orElseThrow()
        .onEvents(
            new AgentEventBatch(List.of(events), new AgentEventBatch.OutputCheckpoint(1, "ghost")));
  }

  /** Begins the turn that was just opened. */
  public void begins(int turn) {
    says(
        new AgentEvent.PromptAccepted(turn, "accepted"),
        new AgentEvent.PromptInjected(turn, "injected"),
        new AgentEvent.TurnStarted(false));
  }

  public void ends(String text) {
    says(new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "", text));
  }

  public void dies() {
    alive = false;
    says(new AgentEvent.Exited(137, "killed"));
  }

  /** The program ends by itself, as one does that will not have the session it is to resume. */
  public void givesUp() {
    alive = false;
    says(new AgentEvent.Exited(1, "no such session"));
  }

  /** Submits a run and waits for its first turn. */
  public Run running(EngineFixture fixture, String prompt) {
    return running(fixture, fixture.run(prompt));
  }

  /** This run, once it has begun its first turn. */
  public Run running(EngineFixture fixture, Run run) {
    awaitMessage("prompt 1: " + run.spec().prompt());
    begins(1);
    await().until(() -> fixture.kinds(run.id()).contains("turn_started"));
    return run;
  }

  /** Waits until it has received a message that begins like this; returns all such messages. */
  public String awaitMessage(String beginning) {
    await().until(() -> told.stream().anyMatch(line -> line.startsWith(beginning)));
    return told.stream().filter(line -> line.startsWith(beginning)).toList().getLast();
  }

  public long countMessages(String part) {
    return told.stream().filter(line -> line.contains(part)).count();
  }

  public long timesTurnedAway(String part) {
    return turnedAway.stream().filter(line -> line.contains(part)).count();
  }

  private final class Strings implements Agent {
    @Override
    public long pid() {
      return 4711;
    }

    @Override
    public WriteResult prompt(int number, String message) {
      return tell("prompt " + number + ": " + message);
    }

    @Override
    public WriteResult steer(SteerId steer, String message) {
      return tell("steer " + steer + ": " + message);
    }

    @Override
    public WriteResult interrupt() {
      return tell("interrupt");
    }

    @Override
    public WriteResult withdraw(SteerId steer) {
      return tell("withdraw " + steer);
    }

    @Override
    public WriteResult answer(String ask, AskAnswer words) {
      return tell("answer " + ask + " " + words);
    }

    @Override
    public WriteResult barrier(String name) {
      WriteResult sent = tell("barrier " + name);
      if (sent == WriteResult.WRITTEN && passesBarriers) {
        says(new AgentEvent.BarrierPassed(name));
      }
      return sent;
    }

    @Override
    public StopResult end(StopTimeouts grace) {
      told.add("end");
      actIfAwaited("end");
      boolean lived = alive;
      alive = false;
      if (lived && tellsItsEnd) {
        says(new AgentEvent.Exited(0, ""));
      }
      return new StopResult(lived ? 1 : 0, 0, 0);
    }

    @Override
    public void detach() {
      told.add("detach");
    }

    private void actIfAwaited(String line) {
      if (!awaited.isEmpty() && line.startsWith(awaited)) {
        onMessage.run();
      }
    }

    private WriteResult tell(String line) {
      if (!alive) {
        return WriteResult.EXITED;
      }
      WriteResult now = answer;
      actIfAwaited(line);
      (now == WriteResult.WRITTEN ? told : turnedAway).add(line);
      return now;
    }
  }
}
