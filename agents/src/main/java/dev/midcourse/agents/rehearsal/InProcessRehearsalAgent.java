package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.program.DuplicatePolicy;
import dev.midcourse.agents.rehearsal.program.Misbehaviour;
import dev.midcourse.agents.rehearsal.program.Play;
import dev.midcourse.agents.rehearsal.program.RehearsalCommand;
import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.rehearsal.program.Stage;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rehearsal agent inside the hub. One virtual thread at a time delivers its events in order.
 * The thread exists only while there are events.
 */
final class InProcessRehearsalAgent implements Agent, Stage {
  private final AgentListener listener;
  private final Clock clock;
  private final List<RehearsalEvent> notes;
  private final Play play;

  /** Guards the play and everything below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final List<AgentEvent> pending = new ArrayList<>(4);
  private @Nullable Future<?> tool;
  private long reported;
  private boolean reporting;
  private boolean gone;
  private boolean detached;

  private InProcessRehearsalAgent(List<RehearsalEvent> notes, Clock clock, AgentListener listener) {
    this.listener = listener;
    this.clock = clock;
    this.notes = notes;
    this.play = Play.from(List.copyOf(notes), DuplicatePolicy.MINDFUL, this);
  }

  static InProcessRehearsalAgent started(
      SessionId session, List<RehearsalEvent> notes, Clock clock, AgentListener listener) {
    InProcessRehearsalAgent agent = new InProcessRehearsalAgent(notes, clock, listener);
    agent.act(play -> play.begin(Version.NUMBER, session));
    return agent;
  }

  /** Returns an agent that reports only an exit. */
  static InProcessRehearsalAgent dead(Clock clock, AgentListener listener, AgentEvent.Exited exit) {
    InProcessRehearsalAgent agent = new InProcessRehearsalAgent(new ArrayList<>(), clock, listener);
    agent.act(_ -> agent.leave(exit));
    return agent;
  }

  private WriteResult act(Consumer<Play> deed) {
    lock.lock();
    try {
      if (gone) {
        return WriteResult.EXITED;
      }
      deed.accept(play);
      if (!reporting && !pending.isEmpty()) {
        reporting = true;
        Thread.startVirtualThread(this::tellAll);
      }
      return WriteResult.WRITTEN;
    } finally {
      lock.unlock();
    }
  }

  private WriteResult receive(RehearsalCommand word) {
    return act(p -> p.receive(word));
  }

  private void tellAll() {
    while (true) {
      AgentEventBatch batch;
      lock.lock();
      try {
        if (pending.isEmpty() || detached) {
          reporting = false;
          return;
        }
        reported += pending.size();
        batch = new AgentEventBatch(pending, new AgentEventBatch.OutputCheckpoint(reported, ""));
        pending.clear();
      } finally {
        lock.unlock();
      }
      listener.onEvents(batch);
    }
  }

  // ---- calls of the engine

  @Override
  public long pid() {
    return 0;
  }

  @Override
  public WriteResult prompt(int number, String message) {
    return receive(new RehearsalCommand.Prompt(number, message));
  }

  @Override
  public WriteResult steer(SteerId steer, String message) {
    return receive(new RehearsalCommand.Steer(steer, message));
  }

  @Override
  public WriteResult interrupt() {
    return receive(new RehearsalCommand.Interrupt());
  }

  @Override
  public WriteResult withdraw(SteerId steer) {
    return receive(new RehearsalCommand.Withdraw(steer));
  }

  @Override
  public WriteResult answer(String ask, AskAnswer answer) {
    return switch (answer) {
      case AskAnswer.Allow() -> receive(new RehearsalCommand.Answer(ask, true, ""));
      case AskAnswer.Deny(String why) -> receive(new RehearsalCommand.Answer(ask, false, why));
      case AskAnswer.Words(String text) -> receive(new RehearsalCommand.Answer(ask, false, text));
    };
  }

  @Override
  public WriteResult barrier(String name) {
    return receive(new RehearsalCommand.Barrier(name));
  }

  @Override
  public StopResult end(StopTimeouts timeouts) {
    act(_ -> leave(new AgentEvent.Exited(0, "")));
    return new StopResult(0, 0, 0);
  }

  @Override
  public void detach() {
    lock.lock();
    try {
      detached = true;
      stopTool();
      gone = true;
    } finally {
      lock.unlock();
    }
  }

  // ---- the stage: called by the play, under the lock

  @Override
  public void tell(AgentEvent event) {
    pending.add(event);
  }

  @Override
  public void note(RehearsalEvent note) {
    notes.add(note);
  }

  @Override
  public void startTool(String call, String command) {
    tool = clock.after(clock.of(command), () -> act(p -> p.toolFinished(call, 0)));
  }

  @Override
  public void endTool(String call) {
    stopTool();
    var _ = clock.after(Duration.ZERO, () -> act(p -> p.toolFinished(call, 137)));
  }

  @Override
  public void wakeAfter(Duration pause) {
    var _ = clock.after(pause, () -> act(Play::woke));
  }

  @Override
  public void misbehave(Misbehaviour how) {
    if (how == Misbehaviour.GARBAGE) {
      tell(new AgentEvent.Garbage("this is not JSON", 16));
    }
  }

  @Override
  public void exit(int code) {
    leave(new AgentEvent.Exited(code, ""));
  }

  private void leave(AgentEvent.Exited exit) {
    stopTool();
    gone = true;
    tell(exit);
  }

  private void stopTool() {
    Future<?> running = tool;
    if (running != null) {
      running.cancel(false);
      tool = null;
    }
  }
}
