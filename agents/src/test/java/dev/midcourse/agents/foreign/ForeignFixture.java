package dev.midcourse.agents.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A worker that is nothing but the files the test writes for it. */
@SuppressWarnings("NullAway.Init")
abstract class ForeignFixture {
  static final SteerId ONE = SteerId.of("11111111-2222-4333-8444-555555555555");
  static final SteerId TWO = SteerId.of("22222222-2222-4333-8444-555555555555");
  static final String RESULT =
      "{\"kind\":\"worker_result\",\"status\":\"success\",\"result\":\"done\"}";

  /** Before any file was written: every one of them may still be half written. */
  static final InstantSource EARLY = () -> Instant.EPOCH;

  /** Long after: none is. */
  static final InstantSource LATE = () -> Instant.parse("2100-01-01T00:00:00Z");

  @TempDir Path root;
  final List<AgentEventBatch> batches = new CopyOnWriteArrayList<>();
  ProcessHost host;
  Path box;
  Agent agent;
  private int barriers;

  @BeforeEach
  void open() throws IOException {
    host = ProcessHost.open();
    box = root.resolve("mail/worker");
    start(1, LATE);
  }

  @AfterEach
  void close() {
    agent.end(StopTimeouts.DEFAULT);
    host.close();
  }

  void start(int attempt, InstantSource clock) {
    agent =
        new ForeignDriver(root.resolve("mail"), host.folders(), clock)
            .start(WorkerSpec.under(root, attempt), batches::add);
  }

  /** As the next hub does, which knows what the ledger has. */
  void attach(AgentEventBatch.OutputCheckpoint from) {
    agent =
        new ForeignDriver(root.resolve("mail"), host.folders(), LATE)
            .attach(WorkerSpec.under(root, 1), from, batches::add);
  }

  /** The worker has taken its task. */
  void atWork() throws IOException {
    atWork(1, 1);
  }

  void atWork(int attempt, int turn) throws IOException {
    agent.prompt(turn, "Do it.");
    Files.delete(box.resolve("input/run-1-" + attempt + "-" + turn + ".json"));
    assertThat(news()).hasAtLeastOneElementOfType(AgentEvent.TurnStarted.class);
  }

  /** Waits until the agent has read all files; returns and forgets the events reported so far. */
  List<AgentEvent> news() {
    AgentEvent passed = new AgentEvent.BarrierPassed("barrier-" + ++barriers);
    assertThat(agent.barrier("barrier-" + barriers)).isEqualTo(Agent.WriteResult.WRITTEN);
    await().until(() -> batches.stream().anyMatch(it -> it.events().contains(passed)));
    List<AgentEvent> events =
        batches.stream()
            .flatMap(it -> it.events().stream())
            .filter(event -> !(event instanceof AgentEvent.BarrierPassed))
            .toList();
    batches.clear();
    return events;
  }

  static AgentEvent notTaken(SteerId steer) {
    return new AgentEvent.SteerNotTaken(steer, "the worker ended its turn without it");
  }

  static String progress(String summary) {
    return "{\"kind\":\"worker_progress\",\"summary\":\"" + summary + "\"}";
  }

  void write(String name, String text) throws IOException {
    Path hidden = Files.writeString(root.resolve("hidden"), text);
    Files.move(hidden, box.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
