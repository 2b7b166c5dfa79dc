package dev.midcourse.proof.bench.loop;

import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.proof.bench.measure.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The times that a loop itself needs in its rounds, from what agent and CI have noted.
 *
 * @param ciToFix from the last line of CI to the first line of the agent that fixes
 * @param agentToCi from the last line of the agent to the first line of CI
 * @param overhead both of one round together
 */
record RoundTimes(Samples ciToFix, Samples agentToCi, Samples overhead) {
  private static final int WARM_UP_ROUNDS = 10;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /** Runs one loop with so many fixes and reads the notes. */
  static RoundTimes measure(LoopBenchHub hub, String branch, int fixes)
      throws IOException, InterruptedException {
    int before = Files.readAllLines(hub.notes()).size();
    Loop loop = hub.start(branch, fixes);
    awaitParked(hub, loop);
    List<String> notes = Files.readAllLines(hub.notes());
    return of(notes.subList(before, notes.size()));
  }

  static Loop awaitParked(LoopBenchHub hub, Loop loop) throws InterruptedException {
    long until = System.nanoTime() + TIMEOUT.toNanos();
    Loop now = hub.now(loop.id());
    while (now.phase() != LoopPhase.PARKED) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException("the loop does not come to its end: " + now);
      }
      Thread.sleep(POLL_INTERVAL);
      now = hub.now(loop.id());
    }
    return now;
  }

  private static RoundTimes of(List<String> notes) {
    List<Duration> ciToFix = new ArrayList<>();
    List<Duration> agentToCi = new ArrayList<>();
    List<Duration> overhead = new ArrayList<>();
    for (int i = 1; i < notes.size(); i++) {
      Duration between = Duration.ofNanos(nanos(notes.get(i)) - nanos(notes.get(i - 1)));
      if (notes.get(i).startsWith("ci-began")) {
        agentToCi.add(between);
      } else if (notes.get(i).startsWith("agent-began")) {
        ciToFix.add(between);
        overhead.add(between.plus(agentToCi.getLast()));
      }
    }
    return new RoundTimes(warm(ciToFix), warm(agentToCi), warm(overhead));
  }

  private static long nanos(String note) {
    return Long.parseLong(note.substring(note.indexOf(' ') + 1));
  }

  private static Samples warm(List<Duration> all) {
    return new Samples(
        all.size() > 2 * WARM_UP_ROUNDS ? all.subList(WARM_UP_ROUNDS, all.size()) : all);
  }

  static RoundTimes together(List<RoundTimes> rounds) {
    return new RoundTimes(
        Samples.together(rounds.stream().map(RoundTimes::ciToFix).toList()),
        Samples.together(rounds.stream().map(RoundTimes::agentToCi).toList()),
        Samples.together(rounds.stream().map(RoundTimes::overhead).toList()));
  }
}
