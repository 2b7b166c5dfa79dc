package dev.midcourse.proof.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.Processes;
import dev.midcourse.proof.crash.hub.DrillProcesses;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.HubClasses;
import dev.midcourse.proof.crash.hub.HubProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop request survives the hub that accepted it. */
@Tag("slow")
class KilledStopTest {
  private static final String RUN = "killed-stop";

  /** One child of each kind: it says who it is, in a file, and waits for its end. */
  private static final String POLITE = "setsid sh -c 'echo $$ > polite; exec sleep 600' &";

  private static final String STUBBORN =
      "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > stubborn; while :; do sleep 1; done' &";
  private static final String NAMELESS =
      "env -i PATH=\"$PATH\" setsid -f sh -c 'trap \"\" TERM; echo $$ > nameless;"
          + " while :; do sleep 1; done'";

  private static final List<String> CHILDREN = List.of("polite", "stubborn", "nameless");

  @TempDir Path folder;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private final List<HubProcess> hubs = new ArrayList<>();

  @AfterEach
  void end_what_is_left() throws Exception {
    for (HubProcess hub : hubs) {
      hub.kill();
    }
    new DrillProcesses(RUN).alive().forEach(ProcessHandle::destroyForcibly);
    CHILDREN.forEach(
        child -> pid(child).flatMap(ProcessHandle::of).ifPresent(ProcessHandle::destroyForcibly));
  }

  /**
   * The hub is killed after the TERM signals have had their effect and before the KILL signals. If
   * the machine is too slow for that, the test tries again. Seen to fail when a supervisor that
   * finds its agent again does not check whether the run must stop.
   */
  @Test
  void t30_t35_a_stop_whose_hub_was_killed_in_the_middle_of_it_is_finished_by_the_next()
      throws Exception {
    int round = 0;
    while (!killedInTheMiddle(RUN + round)) {
      assertThat(++round).as("rounds in which the stop was over before the kill").isLessThan(20);
    }
    String run = RUN + round;
    HubProcess next = hub();
    awaitLong(() -> said.stream().anyMatch(line -> line.startsWith("ended " + run + " ")));
    assertThat(CHILDREN).noneMatch(this::alive);
    assertThat(new DrillProcesses(run).alive()).isEmpty();
    next.leave(30);
    try (Ledger ledger = new DrillStore.Sqlite().open(folder)) {
      assertThat(ledger.read(reading -> reading.run(RunId.of(run))).map(Run::state))
          .contains(RunState.STOPPED);
    }
  }

  private boolean killedInTheMiddle(String run) throws Exception {
    for (String child : CHILDREN) {
      Files.deleteIfExists(folder.resolve(child));
    }
    HubProcess hub = hub();
    String children = String.join(" ", POLITE, STUBBORN, NAMELESS);
    hub.say("run " + run + " rehearsal ! ignore-term|$ " + children + "; sleep 600");
    awaitLong(() -> CHILDREN.stream().allMatch(this::alive));
    hub.say("stop " + run);
    awaitLong(() -> said.contains("stopping " + run) && !alive("polite"));
    hub.kill();
    return alive("stubborn") && alive("nameless");
  }

  private static void awaitLong(Callable<Boolean> condition) {
    await()
        .atMost(Duration.ofMinutes(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
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

  private boolean alive(String child) {
    return pid(child).filter(Processes::isAlive).isPresent();
  }

  private Optional<Long> pid(String child) {
    try {
      return Files.readString(folder.resolve(child)).lines().findFirst().map(Long::valueOf);
    } catch (IOException notYet) {
      return Optional.empty();
    }
  }
}
