package dev.midcourse.hub.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentProcessesTest {
  private static final HostName HERE = HostName.of("here");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  /**
   * Seen to fail when processes with other marks are counted, and when every call scans the
   * processes.
   */
  @Test
  void processes_with_the_mark_of_an_open_attempt_are_counted_once_per_interval() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/environ")), "marks are read from /proc");
    ProcessMarker ours = ProcessMarker.fresh();
    AtomicReference<Instant> now = new AtomicReference<>(NOON);
    AtomicInteger looks = new AtomicInteger();
    try (Ledger ledger = SqliteLedger.open(folder.resolve("ledger.db"));
        ProcessHost host = ProcessHost.open()) {
      begin(ledger, ours);
      sleeping(ours);
      sleeping(ours);
      sleeping(ProcessMarker.fresh());
      await().until(() -> host.marksAlive().getOrDefault(ours, 0) == 2);
      AgentProcesses processes =
          new AgentProcesses(
              () -> {
                looks.incrementAndGet();
                return host.marksAlive();
              },
              ledger,
              HERE,
              now::get);
      assertThat(processes.count()).isEqualTo(2);
      now.set(NOON.plusSeconds(4));
      assertThat(processes.count()).isEqualTo(2);
      assertThat(looks).hasValue(1);
      started.getFirst().destroyForcibly().waitFor();
      now.set(NOON.plus(Duration.ofSeconds(6)));
      assertThat(processes.count()).isEqualTo(1);
    }
  }

  private static void begin(Ledger ledger, ProcessMarker mark) {
    RunSpec spec =
        new RunSpec(
            "sleep",
            AgentName.of("rehearsal"),
            WorkerName.of("any"),
            "/tmp",
            Author.person("test"),
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    RunId run = RunId.of("sleeper");
    ledger.write(tx -> {
      tx.put(Run.queued(run, spec, NOON));
      tx.put(Attempt.begun(run, 1, HERE, mark.token(), false, NOON));
      return true;
    });
  }

  private void sleeping(ProcessMarker mark) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put(ProcessMarker.VARIABLE, mark.token());
    started.add(builder.start());
  }
}
