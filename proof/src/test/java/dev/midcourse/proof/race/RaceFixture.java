package dev.midcourse.proof.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.NewRun;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A hub without interfaces: an engine on a ledger, with in-process rehearsal agents and a recorder.
 */
final class RaceFixture implements AutoCloseable {
  static final Author PERSON = Author.person("race");
  static final Duration TIMEOUT = Duration.ofSeconds(90);

  private final Ledger ledger;
  private final AgentRecorder recorder;
  private final InProcessRehearsal rehearsal = new InProcessRehearsal(Duration.ofMillis(5));
  private final Engine engine;
  private final Path folder;

  RaceFixture(
      String host, Path folder, Ledger ledger, InstantSource clock, AgentRecorder recorder) {
    this.folder = folder;
    this.ledger = ledger;
    this.recorder = recorder;
    this.engine =
        Engine.start(
            new EngineSettings(
                HostName.of(host),
                folder,
                500,
                Map.of(),
                Map.of(),
                StopTimeouts.DEFAULT,
                StallPolicy.DEFAULT,
                new RetryPolicy(Duration.ofMillis(20), Duration.ofMillis(100)),
                ProgressPolicy.DEFAULT,
                Duration.ofSeconds(5),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2)),
            ledger,
            Drivers.of(Map.of(AgentName.of("rehearsal"), recorder.before(rehearsal))),
            clock,
            new SecureRandom());
  }

  /** Returns a generator whose seed is printed; {@code -Dmidcourse.seed=N} repeats it. */
  static Random random(String what) {
    long seed = Long.getLong("midcourse.seed", System.nanoTime() % 1_000_000_000);
    System.out.println(what + ", seed " + seed);
    return new Random(seed);
  }

  Engine engine() {
    return engine;
  }

  Run run(String id, String prompt) {
    RunSpec spec =
        new RunSpec(
            prompt,
            AgentName.of("rehearsal"),
            EngineSettings.ANY_WORKER,
            folder.toString(),
            PERSON,
            PendingPolicy.ALL,
            50,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return engine.runs().create(new NewRun(Optional.of(RunId.of(id)), spec));
  }

  Run now(RunId id) {
    return ledger.read(r -> r.run(id)).orElseThrow();
  }

  void awaitTurn(RunId id) {
    await().atMost(TIMEOUT).until(() -> now(id).turn() > 0 || !now(id).state().live());
  }

  void awaitEnds(List<RunId> runs) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(runs).noneMatch(id -> now(id).state().live()));
  }

  /**
   * Checks that every steer of the run has an end, and that the agent's own record agrees with it.
   */
  void assertHonest(RunId run, String seed) {
    for (Steer steer : ledger.read(r -> r.steers(run))) {
      SteerEnd end =
          steer.ended().orElseThrow(() -> new AssertionError(seed + " open: " + steer)).how();
      boolean delivered =
          switch (end) {
            case ANSWERED, CARRIED -> steer.mode() != SteerMode.STOP;
            case WITHDRAWN, SUPERSEDED, EXPIRED, REFUSED -> false;
            case UNKNOWN -> throw new AssertionError(seed + " this agent always tells: " + steer);
          };
      assertThat(recorder.times(steer)).as("%s %s", seed, steer).isEqualTo(delivered ? 1 : 0);
      assertThat(recorder.says(steer)).as("%s the words of %s", seed, steer).isTrue();
    }
  }

  @Override
  public void close() {
    engine.close();
    rehearsal.close();
  }
}
