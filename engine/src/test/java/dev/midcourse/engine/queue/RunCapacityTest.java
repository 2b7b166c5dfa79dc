package dev.midcourse.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.Transition;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.core.watch.RetryPolicy;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.engine.context.EngineSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunCapacityTest {
  /** Three runs on the host, two of agent x, two of worker wide, one of any other worker. */
  private static final EngineSettings SETTINGS =
      new EngineSettings(
          HostName.of("here"),
          Path.of("/nowhere"),
          3,
          Map.of(NamePattern.of("wide"), 2),
          Map.of(AgentName.of("x"), new AgentQuota(Optional.of(2), Limits.NONE)),
          StopTimeouts.DEFAULT,
          StallPolicy.DEFAULT,
          RetryPolicy.DEFAULT,
          ProgressPolicy.DEFAULT,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofMinutes(2));

  private final RunCapacity capacity = new RunCapacity(SETTINGS);

  private static Run run(String id, String agent, String worker) {
    RunSpec spec =
        new RunSpec(
            "work",
            AgentName.of(agent),
            WorkerName.of(worker),
            "/work",
            Author.person("test"),
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return Run.queued(RunId.of(id), spec, Instant.EPOCH);
  }

  private Run placed(String id, String agent, String worker) {
    Run run = run(id, agent, worker);
    capacity.add(run);
    return run;
  }

  /** Seen to fail when RunCapacity counts the runs of all hosts against the limit of this host. */
  @Test
  void runs_of_other_hosts_take_no_room_of_this_host_but_room_of_their_worker() {
    for (String id : List.of("one", "two", "three")) {
      capacity.add(takenBy("elsewhere", run(id, "y", id)));
    }
    assertThat(capacity.hasRoomOnHost()).isTrue();
    assertThat(capacity.hasRoom(run("new", "y", "one"))).isFalse();
    assertThat(capacity.hasRoom(run("new", "y", "four"))).isTrue();
  }

  /** Seen to fail when RunCapacity.displacedFor takes runs of other hosts for room on this host. */
  @Test
  void an_idle_run_of_another_host_makes_no_room_on_this_host() {
    placed("one", "y", "a");
    placed("two", "y", "b");
    placed("three", "y", "c");
    Run foreign = takenBy("elsewhere", run("four", "y", "d"));
    capacity.add(foreign);
    assertThat(capacity.displacedFor(run("new", "y", "e"), List.of(foreign))).isEmpty();
  }

  private static Run takenBy(String host, Run queued) {
    Lease lease = new Lease(HostName.of(host), Instant.EPOCH.plusSeconds(60));
    return switch (RunTransitions.apply(queued, new RunChange.Picked(lease, Instant.EPOCH))) {
      case Transition.Changed(Run taken) -> taken;
      case Transition.Rejected<Run> rejected -> throw rejected.problem().refused();
      case Transition.Stale(String why) -> throw new IllegalStateException(why);
    };
  }

  @Test
  void any_idle_run_makes_room_on_a_full_host_and_the_first_is_taken() {
    Run one = placed("one", "y", "a");
    Run two = placed("two", "y", "b");
    placed("busy", "y", "c");
    assertThat(capacity.displacedFor(run("new", "y", "d"), List.of(two, one)))
        .contains(List.of(two));
  }

  @Test
  void an_idle_run_of_the_worker_makes_room_on_the_host_too() {
    Run one = placed("one", "y", "a");
    Run two = placed("two", "y", "b");
    placed("busy", "y", "c");
    assertThat(capacity.displacedFor(run("new", "y", "b"), List.of(one, two)))
        .contains(List.of(two));
  }

  @Test
  void two_idle_runs_end_if_one_frees_the_worker_and_another_the_agent() {
    Run ofWorker = placed("one", "y", "a");
    Run ofAgent = placed("two", "x", "b");
    placed("busy", "x", "c");
    assertThat(capacity.displacedFor(run("new", "x", "a"), List.of(ofWorker, ofAgent)))
        .contains(List.of(ofWorker, ofAgent));
  }

  @Test
  void no_idle_run_ends_in_vain() {
    placed("busy", "x", "wide");
    placed("busy-too", "x", "wide");
    Run idle = placed("idle", "y", "a");
    assertThat(capacity.displacedFor(run("new", "y", "wide"), List.of(idle))).isEmpty();
    assertThat(capacity.displacedFor(run("new", "x", "b"), List.of(idle))).isEmpty();
    assertThat(capacity.hasRoomOnHost()).as("the count is unchanged").isFalse();
  }
}
