package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.RecordedRequest;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Sends steers at random times shortly before or after the end of a turn. A steer before the run's
 * end must reach the model once; a steer after it must be refused.
 */
final class LastMoments {
  /** Steers are sent at most this time before the expected end of a turn. */
  private static final Duration LAST = Duration.ofMillis(50);

  private final Lane lane;
  private final long seed;
  private final Random random;
  private final List<Gate> gates;
  private final Map<String, SteerId> taken = new LinkedHashMap<>();
  private final List<String> refused = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private Duration untilTheEnd = LAST;
  private boolean shows;

  LastMoments(Lane lane, int rounds, long seed) {
    this.lane = lane;
    this.seed = seed;
    this.random = new Random(seed);
    this.gates = IntStream.rangeClosed(0, rounds).mapToObj(i -> new Gate("round " + i)).toList();
  }

  Script script() {
    return Script.of(
        gates.stream()
            .map(gate -> Step.say("The answer at " + gate + ".").heldBy(gate))
            .toArray(Step[]::new));
  }

  int taken() {
    return taken.size();
  }

  /**
   * Returns whether the agent reports the steers that it took, so that each steer has a certain
   * end.
   */
  boolean shows() {
    return shows;
  }

  /**
   * Runs the rounds. Every answer of the model waits at a gate; a round opens the gate and steers
   * at the end of the turn. The first round steers before it opens the gate.
   */
  void play(AgentFixture fixture, String prompt) throws InterruptedException {
    Run run = begin(fixture, prompt);
    for (int round = 0; round < gates.size() - 1; round++) {
      gates.get(round).awaitReached(AgentFixture.TIMEOUT);
      String remark = "Remark " + round + " of " + seed + ".";
      if (round == 0) {
        taken.put(remark, fixture.steer(run, SteerMode.STEER, remark)); // in time on any machine
      }
      Instant opened = Instant.now();
      gates.get(round).open();
      try {
        if (round > 0) {
          TimeUnit.NANOSECONDS.sleep(moment().toNanos());
          taken.put(remark, fixture.steer(run, SteerMode.STEER, remark));
        }
      } catch (RefusedException tooLate) {
        assertThat(tooLate.problem().code()).isEqualTo(Problem.Code.RUN_ENDED);
        refused.add(remark);
        run = begin(fixture, prompt);
      }
      awaitTheNext(gates.get(round + 1), fixture, run);
      lastTurnEnd(fixture, opened).ifPresent(end -> untilTheEnd = Duration.between(opened, end));
    }
    gates.getLast().open();
    check(fixture);
  }

  /** Waits for the next gate, which a steer or a new run makes the model reach. */
  private static void awaitTheNext(Gate gate, AgentFixture fixture, Run run)
      throws InterruptedException {
    try {
      gate.awaitReached(AgentFixture.TIMEOUT);
    } catch (IllegalStateException never) {
      throw new AssertionError(never.getMessage() + "\n" + fixture.story(run), never);
    }
  }

  private Run begin(AgentFixture fixture, String prompt) {
    Run run = fixture.run(prompt);
    runs.add(run);
    return run;
  }

  /** Returns a time: one in four anywhere in the answer, the others near its end. */
  private Duration moment() {
    if (random.nextInt(4) == 0) {
      return Duration.ofNanos(random.nextLong(untilTheEnd.toNanos() + 1));
    }
    long early = untilTheEnd.minus(LAST).toNanos();
    return Duration.ofNanos(Math.max(0, early + random.nextLong(LAST.toNanos() * 5 / 4)));
  }

  private Optional<Instant> lastTurnEnd(AgentFixture fixture, Instant after) {
    return runs.stream()
        .flatMap(run -> fixture.log(run).stream())
        .filter(entry -> entry.kind().equals("turn_ended") && entry.at().isAfter(after))
        .map(entry -> entry.at())
        .findFirst();
  }

  private void check(AgentFixture fixture) throws InterruptedException {
    SteerEnd atTheEnd = AgentTroubles.endOf(fixture.can(runs.getFirst()));
    shows = atTheEnd == SteerEnd.ANSWERED;
    for (Run run : runs) {
      assertThat(fixture.awaitEnd(run).state()).as(fixture.story(run)).isEqualTo(RunState.DONE);
    }
    taken.forEach((remark, steer) -> {
      assertThat(fixture.receipt(steer).ended().orElseThrow())
          .as("seed %d, %s, %s", seed, remark, fixture.receipt(steer))
          .isIn(atTheEnd, SteerEnd.CARRIED);
      assertThat(mostOften(remark))
          .as("seed %d, %s %s", seed, remark, lane.requests())
          .isEqualTo(1);
    });
    refused.forEach(remark -> assertThat(mostOften(remark)).as(remark).isZero());
  }

  private int mostOften(String remark) {
    return lane.requests().all().stream()
        .mapToInt((RecordedRequest request) -> request.occurrences(remark))
        .max()
        .orElse(0);
  }

  @Override
  public String toString() {
    return "seed %d: %d taken, %d told that the run had ended"
        .formatted(seed, taken.size(), refused.size());
  }
}
