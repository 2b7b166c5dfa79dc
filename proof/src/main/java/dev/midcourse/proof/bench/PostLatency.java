package dev.midcourse.proof.bench;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.proof.bench.fixture.BenchHub;
import dev.midcourse.proof.bench.fixture.OpenLoop;
import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Goal;
import dev.midcourse.proof.bench.measure.Pace;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.measure.Samples;
import dev.midcourse.proof.bench.measure.WarmUp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Measures the time from a POST request to the agent's input, and to the response. */
final class PostLatency implements Benchmark {
  private static final int SECONDS = 5;
  private static final int PER_SECOND = 200;
  private static final int PER_SECOND_TO_ONE = 20;
  private static final Duration TOOL = Duration.ofMillis(200);
  private static final int PROGRAMS = 200;
  private static final int PER_SECOND_TO_PROGRAMS = 100;

  @Override
  public String name() {
    return "post";
  }

  @Override
  public String title() {
    return "A steer over HTTP";
  }

  @Override
  public String question() {
    return "POST of a steer to bytes in the agent's input, with 1, 20 and 200 busy runs; and with"
        + " 200 agents that are programs, until its agent has accepted it";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (BenchHub fixture = BenchHub.open();
        OpenLoop loop = new OpenLoop(fixture, 200)) {
      fixture.busy(200, TOOL);
      WarmUp.by(() -> loop.send(PER_SECOND, PER_SECOND));
    }
    for (int busy : List.of(1, 20, 200)) {
      try (BenchHub fixture = BenchHub.open();
          OpenLoop loop = new OpenLoop(fixture, busy)) {
        int perSecond = Math.min(PER_SECOND, PER_SECOND_TO_ONE * busy);
        fixture.busy(busy, TOOL);
        loop.send(perSecond, perSecond); // warm-up until all runs are active
        report(
            busy,
            busy + " busy: ",
            "answered: it is durable",
            fixture,
            loop,
            perSecond,
            "",
            report);
      }
    }
    try (BenchHub fixture = BenchHub.withPrograms();
        OpenLoop loop = new OpenLoop(fixture, PROGRAMS)) {
      fixture.waiting(PROGRAMS);
      String accepted = "?wait=accepted&timeout=60s";
      WarmUp.by(() -> loop.send(PER_SECOND_TO_PROGRAMS, PER_SECOND_TO_PROGRAMS, accepted));
      report(
          PROGRAMS,
          PROGRAMS + " programs: ",
          "answered: its agent has accepted it",
          fixture,
          loop,
          PER_SECOND_TO_PROGRAMS,
          accepted,
          report);
      fixture.stopAll();
    }
    report.note(
        "An agent that is a program has its input in a pipe and its answer in a file that the hub"
            + " follows. These have one long tool each: two cores would not carry two hundred"
            + " programs that start five tools a second. They get %d steers a second together, the"
                .formatted(PER_SECOND_TO_PROGRAMS)
            + " busy runs %d, and a single one %d.".formatted(PER_SECOND, PER_SECOND_TO_ONE));
    report.note(Goal.WHY_NONE_FOR_ONE);
  }

  private record Posted(Samples answered, Samples written) {

    static Posted together(List<Posted> all) {
      return new Posted(
          Samples.together(all.stream().map(Posted::answered).toList()),
          Samples.together(all.stream().map(Posted::written).toList()));
    }
  }

  private static void report(
      int runs,
      String who,
      String answer,
      BenchHub fixture,
      OpenLoop loop,
      int perSecond,
      String query,
      Report report)
      throws Exception {
    try (Pace pace = new Pace()) {
      Pace.Kept<Posted> kept =
          pace.rounds(
              posted -> posted.written().millis(0.5),
              Posted::together,
              () -> measure(fixture, loop.send(SECONDS * perSecond, perSecond, query)));
      report.times(who + "POST → " + answer, kept.found().answered());
      report.times(who + "POST → in the agent's input", kept.found().written(), Goal.ofSteer(runs));
      report.rounds(who + "POST → in the agent's input", kept);
    }
  }

  private static Posted measure(BenchHub fixture, Map<String, OpenLoop.Times> times)
      throws InterruptedException {
    List<SteerId> steers = times.keySet().stream().map(SteerId::of).toList();
    while (!fixture.written().keySet().containsAll(steers)) {
      Thread.sleep(10);
    }
    List<Duration> answered = new ArrayList<>();
    List<Duration> written = new ArrayList<>();
    times.forEach((id, at) -> {
      long wrote = Objects.requireNonNull(fixture.written().get(SteerId.of(id)));
      answered.add(Duration.ofNanos(at.answered() - at.due()));
      written.add(Duration.ofNanos(wrote - at.due()));
    });
    return new Posted(new Samples(answered), new Samples(written));
  }
}
