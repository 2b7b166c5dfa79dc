package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.rehearsal.program.Habit;
import dev.midcourse.agents.rehearsal.program.Mischief;
import dev.midcourse.agents.rehearsal.program.Note;
import dev.midcourse.agents.rehearsal.program.Play;
import dev.midcourse.agents.rehearsal.program.Stage;
import dev.midcourse.agents.rehearsal.program.Word;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rehearsal agent inside the hub. Its events are heard in order by one virtual thread at a
 * time, which lives only while there are some.
 */
final class Twin implements Agent, Stage {
  private final Ear ear;
  private final Clock clock;
  private final List<Note> notes;
  private final Play play;

  /** Guards the play and everything below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final List<AgentEvent> unheard = new ArrayList<>(4);
  private @Nullable Future<?> tool;
  private long told;
  private boolean telling;
  private boolean gone;
  private boolean detached;

  private Twin(List<Note> notes, Clock clock, Ear ear) {
    this.ear = ear;
    this.clock = clock;
    this.notes = notes;
    this.play = Play.from(List.copyOf(notes), Habit.MINDFUL, this);
  }

  static Twin started(SessionId session, List<Note> notes, Clock clock, Ear ear) {
    Twin twin = new Twin(notes, clock, ear);
    twin.act(play -> play.begin(Version.NUMBER, session));
    return twin;
  }

  /** Nothing but an exit. */
  static Twin dead(Clock clock, Ear ear, AgentEvent.Exited exit) {
    Twin twin = new Twin(new ArrayList<>(), clock, ear);
    twin.act(_ -> twin.leave(exit));
    return twin;
  }

  private Sent act(Consumer<Play> deed) {
    lock.lock();
    try {
      if (gone) {
        return Sent.GONE;
      }
      deed.accept(play);
      if (!telling && !unheard.isEmpty()) {
        telling = true;
        Thread.startVirtualThread(this::tellAll);
      }
      return Sent.WRITTEN;
    } finally {
      lock.unlock();
    }
  }

  private Sent hear(Word word) {
    return act(p -> p.hear(word));
  }

  private void tellAll() {
    while (true) {
      Heard heard;
      lock.lock();
      try {
        if (unheard.isEmpty() || detached) {
          telling = false;
          return;
        }
        told += unheard.size();
        heard = new Heard(unheard, new Heard.Place(told, ""));
        unheard.clear();
      } finally {
        lock.unlock();
      }
      ear.heard(heard);
    }
  }

  // ---- what the engine asks for

  @Override
  public long pid() {
    return 0;
  }

  @Override
  public Sent prompt(int number, String message) {
    return hear(new Word.Prompt(number, message));
  }

  @Override
  public Sent steer(SteerId steer, String message) {
    return hear(new Word.Steer(steer, message));
  }

  @Override
  public Sent interrupt() {
    return hear(new Word.Interrupt());
  }

  @Override
  public Sent withdraw(SteerId steer) {
    return hear(new Word.Withdraw(steer));
  }

  @Override
  public Sent answer(String ask, Answer answer) {
    return switch (answer) {
      case Answer.Allow() -> hear(new Word.Answer(ask, true, ""));
      case Answer.Deny(String why) -> hear(new Word.Answer(ask, false, why));
      case Answer.Words(String text) -> hear(new Word.Answer(ask, false, text));
    };
  }

  @Override
  public Sent barrier(String name) {
    return hear(new Word.Barrier(name));
  }

  @Override
  public Ended end(Grace grace) {
    act(_ -> leave(new AgentEvent.Exited(0, "")));
    return new Ended(0, 0, 0);
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
    unheard.add(event);
  }

  @Override
  public void note(Note note) {
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
  public void misbehave(Mischief how) {
    if (how == Mischief.GARBAGE) {
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
