package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Heard;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressGate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** An attendance without its engine: nothing wakes it but what the agent says and its own time. */
class AttendanceTest extends PuppetStage {
  private static final ProgressGate GATE = new ProgressGate(Duration.ofMillis(200));

  /**
   * Seen to fail when the attendance does not wake for it, and when it does not keep what is due.
   */
  @Test
  void progress_that_came_too_soon_is_kept_when_its_time_has_come_though_nothing_else_happens() {
    Run run = running("build it");
    house.engine().close();
    Slot slot = new Slot();
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot);
    slot.fromAgent(
        1,
        new Heard(
            List.of(
                new AgentEvent.Said("reads the code"),
                new AgentEvent.Said("writes a test"),
                new AgentEvent.Said("writes the code")),
            new Heard.Place(100, "memo")));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> house.now(run.id()).progress().map(Progress::summary),
            Optional.of("writes the code")::equals);
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
  }

  private CompletableFuture<Attendance.Over> attend(Run run, Slot slot) {
    EngineSettings settings = house.engine().settings();
    Desk desk =
        new Desk(
            house.ledger,
            InstantSource.system(),
            settings.host(),
            run,
            house.ledger.read(r -> r.attempt(run.id(), run.attempt())).orElseThrow(),
            house.ledger.read(r -> r.turn(run.id(), run.turn())),
            List.of());
    Signs signs = new Signs(desk.now(), 0);
    Hearing hearing =
        new Hearing(desk, signs, GATE, new Turn.Running(run.turn()), Capabilities.FULL, true);
    Agent agent =
        puppet.attach(
            puppet.starts.getFirst(), Heard.Place.START, heard -> slot.fromAgent(1, heard));
    Attendance attendance =
        new Attendance(
            desk,
            hearing,
            signs,
            agent,
            slot,
            settings,
            new Contract(desk, house.ledger),
            (_, _) -> Optional.empty(),
            false);
    return CompletableFuture.supplyAsync(() -> {
      try {
        return attendance.attend();
      } catch (InterruptedException e) {
        throw new CompletionException(e);
      }
    });
  }
}
