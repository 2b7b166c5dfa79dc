package dev.midcourse.proof.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.DispatchTarget;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.sql.PostgresLedger;
import dev.midcourse.ledger.sql.SqliteLedger;
import dev.midcourse.proof.bench.fixture.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two dispatches with one key at the same moment are one run, on both stores. */
@Tag("slow")
class DispatchRaceTest {
  private static final int ROUNDS = 20;

  @TempDir private Path folder;

  @Test
  void two_callers_of_one_hub_with_sqlite_get_the_same_run() throws Exception {
    try (Ledger ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
        RaceFixture hub =
            new RaceFixture("here", folder, ledger, InstantSource.system(), new AgentRecorder())) {
      assertOneRunForEachKey(ledger, hub, hub);
    }
  }

  /** Seen to fail when the key is not read again after a refusal. */
  @Test
  void two_hubs_with_one_postgres_get_the_same_run() throws Exception {
    AgentRecorder recorder = new AgentRecorder();
    InstantSource clock = InstantSource.system();
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().setPort(FreePorts.next()).start();
        Ledger ledger = open(server);
        Ledger other = open(server);
        RaceFixture here = new RaceFixture("here", folder, ledger, clock, recorder);
        RaceFixture there = new RaceFixture("there", folder, other, clock, recorder)) {
      assertOneRunForEachKey(ledger, here, there);
    }
  }

  private void assertOneRunForEachKey(Ledger ledger, RaceFixture one, RaceFixture two)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ROUNDS; i++) {
        RunId id = RunId.of("ping-" + i);
        List<Future<Run>> both = new ArrayList<>();
        for (RaceFixture hub : List.of(one, two)) {
          both.add(
              callers.submit(() -> {
                together.await();
                return dispatch(hub, id);
              }));
        }
        assertThat(both.get(0).get().id()).isEqualTo(id);
        assertThat(both.get(1).get().id()).isEqualTo(id);
        assertThat(timesQueued(ledger, id)).isEqualTo(1);
      }
    }
  }

  /**
   * Returns how often the run was queued. It writes first, so that the ledger sees all commits of
   * other hubs.
   */
  private static int timesQueued(Ledger ledger, RunId run) {
    ledger.write(tx -> {
      tx.append(run, Instant.now(), new RunEvent.Noted("both have dispatched"));
      return true;
    });
    Log.Filter queued = Log.Filter.of(run, RunEvent.RunQueued.class, RunEvent.RunRestarted.class);
    return ledger.log().after(0, queued, 10).entries().size();
  }

  private Run dispatch(RaceFixture hub, RunId run) {
    DispatchTarget lane =
        new DispatchTarget(
            WorkerName.of("jarvis-worker-1"),
            AgentName.of("rehearsal"),
            folder,
            PendingPolicy.ALL,
            3,
            DispatchRules.JARVIS);
    return hub.engine()
        .dispatching()
        .dispatch(
            task(run), lane, RaceFixture.PERSON, Optional.of(IdempotencyKey.of("key-" + run)));
  }

  private static JsonValue task(RunId run) {
    return JsonInput.read(
        "dispatch",
        """
        {"run_id": "%s", "task_type": "test", "context_intent": "fresh", "input": "Say hello.",
         "repo": "acme/shop", "branch": "jarvis-x", "acceptance_tests": ["it answers"],
         "output_contract": {"required_fields": ["run_id", "branch", "commit_sha",
           "files_changed", "test_result", "risk", "pr_skipped_reason"]}}
        """
            .formatted(run));
  }

  private static Ledger open(EmbeddedPostgres server) {
    return PostgresLedger.open(
        server.getJdbcUrl("postgres", "postgres") + "&unsynced=accepted", "postgres", "");
  }
}
