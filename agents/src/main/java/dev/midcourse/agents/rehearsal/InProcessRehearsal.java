package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.rehearsal.program.Note;
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
 * The rehearsal agent inside the hub, for load tests: the same play and the same events, but no
 * process; a tool is a wait, and an agent that waits costs no thread. It dies with its hub; its
 * transcripts are kept in memory as long as this driver.
 */
public final class InProcessRehearsal implements Driver, AutoCloseable {

  private final Map<SessionId, List<Note>> transcripts = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor executor;
  private final Clock clock;

  public InProcessRehearsal() {
    this(Duration.ofMillis(10));
  }

  /**
   * @param toolTime how long a tool takes whose command has no {@code sleep}
   */
  public InProcessRehearsal(Duration toolTime) {
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("rehearsal-clock").daemon().factory());
    executor.setRemoveOnCancelPolicy(true);
    this.clock = new Clock(executor, toolTime);
  }

  @Override
  public Finding find() {
    return new Finding.Found("in process", Version.NUMBER, Capabilities.FULL);
  }

  @Override
  public Agent start(Order order, Ear ear) {
    SessionId session =
        order.resume().orElseGet(() -> SessionId.of("twin-" + order.run() + "-" + order.attempt()));
    Optional<List<Note>> notes =
        order.resume().isEmpty()
            ? Optional.of(new ArrayList<>())
            : Optional.ofNullable(transcripts.get(session));
    if (notes.isEmpty()) {
      return Twin.dead(clock, ear, new AgentEvent.Exited(2, "no such session: " + session));
    }
    transcripts.put(session, notes.get());
    return Twin.started(session, notes.get(), clock, ear);
  }

  /** There is nothing to find: what ran in a hub that is gone is gone. */
  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return Twin.dead(clock, ear, new AgentEvent.Exited(-1, "it died with its hub"));
  }

  @Override
  public Optional<Set<String>> recorded(Order order, SessionId session, Set<String> passages) {
    return Optional.ofNullable(transcripts.get(session))
        .map(notes ->
            passages.stream()
                .filter(passage -> notes.stream().anyMatch(note -> holds(note, passage)))
                .collect(Collectors.toSet()));
  }

  private static boolean holds(Note note, String passage) {
    return switch (note) {
      case Note.Opened opened -> opened.message().contains(passage);
      case Note.Took took -> took.message().contains(passage);
      case Note.Began _,
          Note.Received _,
          Note.LetGo _,
          Note.Called _,
          Note.StepDone _,
          Note.Ended _ ->
          false;
    };
  }

  /** No tool ends any more. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
