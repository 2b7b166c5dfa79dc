package dev.midcourse.engine.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.Run;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.ledger.Ledger;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of a run to a ledger whose writes become durable when the test says so. */
class BoundedCommitterTest {
  private final SupervisorMailbox mailbox = new SupervisorMailbox();
  private final BoundedCommitter committer = new BoundedCommitter(mailbox);
  private final List<String> priorities = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<Object>> writes = new CopyOnWriteArrayList<>();
  private EngineFixture engine;
  private AttemptUnitOfWork unitOfWork;

  @BeforeEach
  void open(@TempDir Path folder) {
    ScriptedAgent agent = new ScriptedAgent();
    engine = new EngineFixture(folder, agent);
    Run run = engine.now(agent.running(engine, "work").id());
    unitOfWork =
        new AttemptUnitOfWork(
            slowLedger(),
            InstantSource.system(),
            engine.engine().settings().host(),
            run,
            engine.ledger.read(r -> r.attempt(run.id(), run.attempt())).orElseThrow(),
            Optional.empty(),
            List.of());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Ledger slowLedger() {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (_, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("writeAsync");
              priorities.add(arguments[0].toString());
              CompletableFuture<Object> write = new CompletableFuture<>();
              writes.add(write);
              return write;
            });
  }

  private void append(int events) {
    for (int i = 0; i < events; i++) {
      unitOfWork.append(new RunEvent.Said(1, "event " + i));
    }
  }

  /** Seen to fail when the committer commits everything lazily. */
  @Test
  void a_commit_that_a_caller_waits_for_is_not_lazy() {
    append(1);
    committer.commit(unitOfWork, () -> {});
    append(1);
    unitOfWork.markAwaited();
    committer.commit(unitOfWork, () -> {});
    append(1);
    committer.commit(unitOfWork, () -> {});
    assertThat(priorities).containsExactly("LAZY", "NORMAL", "LAZY");
  }

  /** Seen to fail when the committer does not acquire permits for the events of a commit. */
  @Test
  void a_commit_blocks_while_too_many_events_are_not_durable() throws Exception {
    append(600);
    committer.commit(unitOfWork, () -> {});
    append(600);
    Thread second = Thread.ofPlatform().start(() -> committer.commit(unitOfWork, () -> {}));
    await().until(() -> second.getState() == Thread.State.WAITING);
    assertThat(writes).hasSize(1);

    writes.getFirst().complete(null);
    second.join();
    assertThat(writes).hasSize(2);
  }

  /** Seen to fail when the committer does not release the permits of a failed commit. */
  @Test
  void a_failed_commit_is_a_message_to_the_supervisor_and_makes_room() throws Exception {
    List<String> durable = new CopyOnWriteArrayList<>();
    append(1_024);
    committer.commit(unitOfWork, () -> durable.add("first"));
    IllegalStateException failure = new IllegalStateException("disk full");
    writes.getFirst().completeExceptionally(failure);
    assertThat(mailbox.take(Optional.of(Duration.ZERO)))
        .containsExactly(new SupervisorMessage.CommitFailed(failure));

    append(1_024);
    Thread.ofPlatform()
        .daemon()
        .start(() -> committer.commit(unitOfWork, () -> durable.add("second")));
    await().until(() -> writes.size() == 2);
    writes.getLast().complete(null);
    await().until(() -> !durable.isEmpty());
    assertThat(durable).containsExactly("second");
  }
}
