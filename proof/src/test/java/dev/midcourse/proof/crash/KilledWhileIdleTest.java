package dev.midcourse.proof.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.hub.DrillProcesses;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.HubClasses;
import dev.midcourse.proof.crash.hub.HubProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An idle agent outlives the hub that is killed, and the next hub keeps its deadline. */
@Tag("slow")
class KilledWhileIdleTest {
  private static final RunId RUN = RunId.of("killed-while-idle");
  private static final Duration LINGER = Duration.ofMinutes(30);

  @TempDir Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<HubProcess> hubs = new ArrayList<>();

  @AfterEach
  void end_what_is_left() throws Exception {
    for (HubProcess hub : hubs) {
      hub.kill();
    }
    new DrillProcesses(RUN.value()).alive().forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void the_next_hub_finds_the_idle_agent_and_gives_it_the_next_message() throws Exception {
    HubProcess first = hub();
    first.say("run %s rehearsal/all/%d $ echo hi".formatted(RUN, LINGER.toMillis()));
    awaitIdle(1);
    List<Long> agent = processes();
    first.kill();
    assertThat(agent).isNotEmpty();
    assertThat(processes()).isEqualTo(agent);
    Optional<IdlePeriod> before = stored().idle();
    assertThat(before).isPresent();

    HubProcess second = hub();
    second.leave(30);
    assertThat(stored().idle()).isEqualTo(before);

    HubProcess third = hub();
    third.say("steer %s after-the-kill follow_up:and now this".formatted(RUN));
    awaitLong(() -> said.stream().anyMatch(line -> line.startsWith("stored after-the-kill")));
    awaitIdle(2);
    assertThat(processes()).isEqualTo(agent);
    third.kill();
    Run run = stored();
    assertThat(run.state()).isEqualTo(RunState.RUNNING);
    assertThat(run.turn()).isEqualTo(2);
    assertThat(run.attempt()).isEqualTo(1);
    assertThat(steers()).extracting(Steer::rung).containsExactly(Rung.ANSWERED);

    hub().say("stop " + RUN);
    awaitLong(() -> said.stream().anyMatch(line -> line.startsWith("ended " + RUN)));
    assertThat(processes()).isEmpty();
  }

  private void awaitIdle(int times) {
    awaitLong(() ->
        said.stream().filter(line -> line.startsWith("idle " + RUN)).distinct().count() == times);
  }

  private List<Long> processes() {
    return new DrillProcesses(RUN.value())
        .alive().stream().map(ProcessHandle::pid).sorted().toList();
  }

  private Run stored() {
    try (Ledger ledger = new DrillStore.Sqlite().open(folder)) {
      return ledger.read(reading -> reading.run(RUN)).orElseThrow();
    }
  }

  private List<Steer> steers() {
    try (Ledger ledger = new DrillStore.Sqlite().open(folder)) {
      return ledger.read(reading -> reading.steers(RUN));
    }
  }

  private static void awaitLong(Callable<Boolean> condition) {
    await()
        .atMost(Duration.ofMinutes(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(condition);
  }

  private HubProcess hub() throws InterruptedException {
    HubProcess hub =
        HubProcess.start(
            HubClasses.asBuilt(), folder, new DrillStore.Sqlite(), "none", 0, said::add);
    hubs.add(hub);
    assertThat(hub.awaitReady(120)).isTrue();
    return hub;
  }
}
