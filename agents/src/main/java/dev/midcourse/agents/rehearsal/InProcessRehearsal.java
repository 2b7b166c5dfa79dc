package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;

/**
 * The rehearsal agent inside the hub, for load tests. It has the same behaviour and events as the
 * program but no process. A tool is only a wait, and a waiting agent costs no thread. The agent
 * ends with its hub. Its transcripts are in memory as long as this driver.
 */
public final class InProcessRehearsal implements Driver, AutoCloseable {

  private final Map<SessionId, List<RehearsalEvent>> transcripts = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor executor;
  private final Clock clock;

  public InProcessRehearsal() {
    this(Duration.ofMillis(10));
  }

  /**
   * @param toolTime the duration of a tool whose command has no {@code sleep}
   */
  public InProcessRehearsal(Duration toolTime) {
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("rehearsal-clock").daemon().factory());
    executor.setRemoveOnCancelPolicy(true);
    this.clock = new Clock(executor, toolTime);
  }

  @Override
  public ProgramLookup find() {
    return new ProgramLookup.Found("in process", Version.NUMBER, Capabilities.FULL);
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    SessionId session =
        spec.resume().orElseGet(() -> SessionId.of("twin-" + spec.run() + "-" + spec.attempt()));
    Optional<List<RehearsalEvent>> notes =
        spec.resume().isEmpty()
            ? Optional.of(new ArrayList<>())
            : Optional.ofNullable(transcripts.get(session));
    if (notes.isEmpty()) {
      return InProcessRehearsalAgent.dead(
          clock, listener, new AgentEvent.Exited(2, "no such session: " + session));
    }
    transcripts.put(session, notes.get());
    return InProcessRehearsalAgent.started(session, notes.get(), clock, listener);
  }

  /** Returns an agent that has exited, because an agent of an earlier hub ended with that hub. */
  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return InProcessRehearsalAgent.dead(
        clock, listener, new AgentEvent.Exited(-1, "it died with its hub"));
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return Optional.ofNullable(transcripts.get(session))
        .map(notes ->
            passages.stream()
                .filter(passage -> notes.stream().anyMatch(note -> holds(note, passage)))
                .collect(Collectors.toSet()));
  }

  private static boolean holds(RehearsalEvent note, String passage) {
    return switch (note) {
      case RehearsalEvent.Opened opened -> opened.message().contains(passage);
      case RehearsalEvent.Took took -> took.message().contains(passage);
      case RehearsalEvent.Began _,
          RehearsalEvent.Received _,
          RehearsalEvent.LetGo _,
          RehearsalEvent.Called _,
          RehearsalEvent.StepDone _,
          RehearsalEvent.Ended _ ->
          false;
    };
  }

  /** Stops the clock. No running tool finishes after this call. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
