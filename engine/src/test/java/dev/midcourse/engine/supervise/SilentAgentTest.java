package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgentDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Supervisors whose agents do not answer after a restart of the hub. A supervisor is a virtual
 * thread: if it never waits, and there are as many of them as processors, nothing else in the hub
 * runs.
 */
class SilentAgentTest extends ScriptedAgentDriver {
  private static final Duration LINGER = Duration.ofMinutes(10);

  /** One more than there are processors for virtual threads. */
  private final int many = Runtime.getRuntime().availableProcessors() + 1;

  private void assertOthersRun() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    Thread.ofVirtual().start(ran::countDown);
    assertThat(ran.await(1, TimeUnit.MINUTES)).as("another virtual thread ran").isTrue();
  }

  private void restartWhileAgentsAreSilent(List<Run> runs, Duration pause) {
    fixture.engine().close();
    puppet.passesNoBarrier();
    clock.move(pause);
    fixture.restartHub();
    for (Run run : runs) {
      await().until(() -> fixture.kinds(run.id()).contains("agent_found"));
    }
  }

  /** Seen to fail when the end of the linger wakes a supervisor that waits for its agent. */
  @Test
  void idle_runs_whose_linger_is_over_let_other_threads_run() throws InterruptedException {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      WorkerName worker = WorkerName.of("worker-" + i);
      Run run = puppet.running(fixture, fixture.lingering("build " + i, worker, LINGER));
      puppet.ends("built");
      await().until(() -> fixture.now(run.id()).idle().isPresent());
      runs.add(run);
    }
    restartWhileAgentsAreSilent(runs, LINGER);
    assertOthersRun();
  }

  /** Seen to fail when the time to live of a steer wakes a supervisor that waits for its agent. */
  @Test
  void runs_with_an_expired_steer_let_other_threads_run() throws InterruptedException {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      Run run = running("build " + i);
      SteerRequest later = SteerRequest.steer("then the docs").withMode(SteerMode.FOLLOW_UP);
      fixture
          .engine()
          .steering()
          .submit(
              run.id(),
              EngineFixture.PERSON,
              new SteerRequest(
                  later.text(),
                  later.mode(),
                  later.key(),
                  later.expectedTurn(),
                  Optional.of(Duration.ofSeconds(30)),
                  later.onUnsupported(),
                  later.supersedes()));
      runs.add(run);
    }
    restartWhileAgentsAreSilent(runs, Duration.ofMinutes(1));
    assertOthersRun();
  }
}
