package dev.midcourse.proof.bench;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** An engine on a real SQLite file with the in-process twin of the rehearsal agent. */
final class BenchFixture implements AutoCloseable {
  private static final Author AUTHOR = Author.person("bench");

  private final Path folder;
  private final InProcessRehearsal rehearsal = new InProcessRehearsal();
  private final TappedDriver driver = new TappedDriver(rehearsal);
  private final Ledger ledger;
  private final Engine engine;

  BenchFixture() throws IOException {
    folder = Folders.make();
    ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    engine =
        Engine.start(
            new EngineSettings(
                HostName.of("bench"),
                folder,
                20_000,
                Map.of(),
                Map.of(),
                StopTimeouts.DEFAULT,
                StallPolicy.DEFAULT,
                RetryPolicy.DEFAULT,
                ProgressPolicy.DEFAULT,
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ofMinutes(30)),
            ledger,
            Drivers.of(Map.of(AgentName.of("rehearsal"), driver)),
            InstantSource.system(),
            new SecureRandom());
  }

  Engine engine() {
    return engine;
  }

  TappedDriver driver() {
    return driver;
  }

  static Author author() {
    return AUTHOR;
  }

  RunId run(String id, String prompt) {
    RunSpec spec =
        new RunSpec(
            prompt,
            AgentName.of("rehearsal"),
            EngineSettings.ANY_WORKER,
            folder.toString(),
            AUTHOR,
            PendingPolicy.ALL,
            3,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return engine.runs().create(new NewRun(Optional.of(RunId.of(id)), spec)).id();
  }

  /** Waits until so many turns have begun since the house was opened. */
  void awaitTurns(int count) throws InterruptedException {
    Turns.await(ledger.log(), count);
  }

  @Override
  public void close() throws IOException {
    engine.close();
    rehearsal.close();
    ledger.close();
    Folders.delete(folder);
  }
}
