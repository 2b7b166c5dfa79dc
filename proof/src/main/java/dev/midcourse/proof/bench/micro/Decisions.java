package dev.midcourse.proof.bench.micro;

import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerTransitions;
import dev.midcourse.core.steer.SteeringPlan;
import dev.midcourse.core.steer.SteeringPlan.SteerAction;
import dev.midcourse.core.steer.TurnState;
import dev.midcourse.ledger.json.JsonCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the decisions of core for a steer, with a given number of open steers in its run. */
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Decisions {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final RunId RUN = RunId.of("run");
  private static final Author AUTHOR = Author.person("bench");

  @Param({"1", "100", "1000"})
  public int open;

  private final Ids ids = new Ids(new SplittableRandom(7));
  private final List<Steer> steers = new ArrayList<>();
  private final Run run = Run.queued(RUN, spec(), NOON);

  /** Creates the steers. All but the newest are accepted by the agent. */
  @Setup
  public void fill() {
    for (int i = 0; i < open; i++) {
      Steer steer = ((IntakeDecision.Store) judged(ids.steer())).steer();
      steers.add(i + 1 < open ? accepted(steer) : steer);
    }
  }

  @Benchmark
  public IntakeDecision judge() {
    return judged(SteerId.of("01900000-0000-7000-8000-000000000000"));
  }

  @Benchmark
  public List<SteerAction> plan() {
    return new SteeringPlan(
            steers, new TurnState.Running(1), Capabilities.FULL, PendingPolicy.ALL, NOON)
        .moves();
  }

  @Benchmark
  public String receipt() {
    return JsonCodec.write(Receipt.of(steers.getFirst()));
  }

  private IntakeDecision judged(SteerId id) {
    SteerRequest request = SteerRequest.steer("use the other library, not this one");
    SteerIntake.Known known =
        new SteerIntake.Known(
            run,
            AUTHOR,
            true,
            () -> Capabilities.FULL,
            Optional.empty(),
            Optional.empty(),
            steers::size,
            steers.size() + 1);
    return SteerIntake.judge(request, known, id, NOON);
  }

  private static Steer accepted(Steer steer) {
    Steer offered = after(steer, new SteerChange.Offered(1, SteerMode.STEER, NOON, "written"));
    return after(offered, new SteerChange.Accepted(1, NOON, "held"));
  }

  private static Steer after(Steer steer, SteerChange change) {
    return ((Transition.Changed<Steer>) SteerTransitions.apply(steer, change)).next();
  }

  private static RunSpec spec() {
    return new RunSpec(
        "make the tests pass and say what was wrong",
        AgentName.of("rehearsal"),
        WorkerName.of("worker"),
        "/somewhere",
        AUTHOR,
        PendingPolicy.ALL,
        5,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
