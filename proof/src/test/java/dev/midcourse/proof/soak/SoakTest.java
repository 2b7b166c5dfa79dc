package dev.midcourse.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Drivers;
import dev.midcourse.agents.rehearsal.InProcessRehearsal;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.EngineSettings;
import dev.midcourse.engine.NewRun;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.HubSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred runs at once for half an hour, with steers, stops, runs that are started again and hubs
 * that come and go: what is held at the end is what was held after the first part. {@code
 * -Dmidcourse.soak=60} takes a minute instead.
 */
@Tag("long")
class SoakTest {
  private static final Author PERSON = Author.person("soak");
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("midcourse.soak", 1_800));
  private static final int AT_ONCE = 100;
  private static final int PROCESSES = 3;

  private static final long ROOM = 24_000_000;

  private final Random random = seeded();
  private final List<RunId> live = new ArrayList<>();
  private int started;
  private int steers;

  private static Random seeded() {
    long seed = Long.getLong("midcourse.seed", System.nanoTime() % 1_000_000_000);
    System.out.println("soak, seed " + seed);
    return new Random(seed);
  }

  @Test
  void nothing_that_a_hub_holds_grows(@TempDir Path data) {
    soak(data, TIME.dividedBy(4));
    Held before = Held.now();
    System.out.println("after " + started + " runs and " + steers + " steers: " + before);
    soak(data, TIME.dividedBy(4).multipliedBy(3));
    Held after = Held.now();
    System.out.println("after " + started + " runs and " + steers + " steers: " + after);

    assertThat(after.processes()).as("processes").isZero();
    assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 4);
    assertThat(after.files()).as("open files").isLessThanOrEqualTo(before.files() + 8);
    assertThat(after.heap()).as("heap").isLessThan(before.heap() + ROOM);
  }

  /**
   * Some hubs in a row, each for a while; the last one sees every run to its end. What twins keep
   * of their conversations, as a real agent does in a process of its own, goes with them.
   */
  private void soak(Path data, Duration time) {
    try (InProcessRehearsal twins = new InProcessRehearsal(Duration.ofMillis(20))) {
      soak(data, time, twins);
    }
  }

  private void soak(Path data, Duration time, InProcessRehearsal twins) {
    int hubs = 3;
    for (int hub = 1; hub <= hubs; hub++) {
      try (Hub it = open(data, twins)) {
        Instant until = Instant.now().plus(time.dividedBy(hubs));
        while (Instant.now().isBefore(until)) {
          step(it.engine(), data);
          LockSupport.parkNanos(random.nextLong(10_000_000));
        }
        if (hub == hubs) {
          drain(it.engine());
        }
      }
    }
  }

  private static Hub open(Path data, InProcessRehearsal twins) {
    return Hub.start(
        HubSettings.in(data).withPort(0),
        host ->
            Drivers.of(
                Map.of(
                    AgentName.of("twin"),
                    twins,
                    AgentName.of("rehearsal"),
                    new RehearsalDriver(host))));
  }

  private void step(Engine engine, Path data) {
    live.removeIf(run -> !isLive(engine, run) && random.nextInt(5) > 0);
    if (live.size() < AT_ONCE) {
      start(engine, data);
    }
    RunId run = live.get(random.nextInt(live.size()));
    try {
      switch (random.nextInt(20)) {
        case 0 -> engine.runs().stop(run, PERSON);
        case 1 -> engine.runs().restart(run, Optional.empty(), random.nextBoolean(), PERSON);
        case 2 -> steer(engine, run, Mode.INTERRUPT);
        case 3 -> steer(engine, run, Mode.FOLLOW_UP);
        default -> steer(engine, run, Mode.STEER);
      }
    } catch (RefusedException overOrLive) {
      // Which is which changes all the time.
    }
  }

  private void steer(Engine engine, RunId run, Mode mode) {
    engine.steering().submit(SteerRequest.steer(run, PERSON, "a remark").withMode(mode));
    steers++;
  }

  private void start(Engine engine, Path data) {
    String agent = started % AT_ONCE < PROCESSES ? "rehearsal" : "twin";
    RunSpec spec =
        new RunSpec(
            "$ sleep 0.5\n".repeat(1 + random.nextInt(10)),
            AgentName.of(agent),
            EngineSettings.ANY_WORKER,
            data.toString(),
            PERSON,
            PendingPolicy.ALL,
            20,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    live.add(engine.runs().create(new NewRun(Optional.empty(), spec)).id());
    started++;
  }

  private static boolean isLive(Engine engine, RunId run) {
    return engine.ledger().read(r -> r.run(run)).map(it -> it.state().live()).orElse(false);
  }

  /** Every run is stopped, and everything that ended is forgotten. */
  private void drain(Engine engine) {
    for (RunId run : live) {
      try {
        engine.runs().stop(run, PERSON);
      } catch (RefusedException over) {
        // So much the better.
      }
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> live.stream().noneMatch(run -> isLive(engine, run)));
    await().atMost(Duration.ofMinutes(1)).until(() -> engine.attended().isEmpty());
    assertThat(engine.ledger().read(r -> r.liveRuns()).stream().map(it -> it.state()))
        .doesNotContain(RunState.RUNNING);
    live.clear();
    engine.ledger().prune(Instant.now().plusSeconds(1));
  }
}
