package dev.midcourse.proof.bench;

import dev.midcourse.core.id.SteerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The same as {@link SteerLatency}, through the hub's TCP door. */
final class PostLatency implements Benchmark {
  private static final int BUSY = 200;
  private static final int STEERS = 1_000;
  private static final int PER_SECOND = 200;

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
    return "POST of a steer to bytes in the agent's input, with 200 busy runs";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    try (HubHouse house = HubHouse.open()) {
      house.busy(BUSY, Duration.ofMillis(200));
      try (OpenLoop loop = new OpenLoop(house, BUSY);
          Pace pace = new Pace()) {
        Compiled.by(() -> loop.send(PER_SECOND, PER_SECOND));
        Pace.Kept<Posted> kept =
            pace.quickest(posted -> posted.written().millis(0.5), () -> measure(house, loop));
        report.times("POST → answered: it is durable", kept.found().answered());
        report.times("POST → in the agent's input", kept.found().written(), new Goal(2, 15));
        report.rounds("POST → in the agent's input", kept);
      }
    }
  }

  private record Posted(Samples answered, Samples written) {}

  private static Posted measure(HubHouse house, OpenLoop loop) throws InterruptedException {
    Map<String, OpenLoop.Times> times = loop.send(STEERS, PER_SECOND);
    List<SteerId> steers = times.keySet().stream().map(SteerId::of).toList();
    while (!house.driver().written().keySet().containsAll(steers)) {
      Thread.sleep(10);
    }
    List<Duration> answered = new ArrayList<>();
    List<Duration> written = new ArrayList<>();
    times.forEach((id, at) -> {
      Long wrote = Objects.requireNonNull(house.driver().written().get(SteerId.of(id)));
      answered.add(Duration.ofNanos(at.answered() - at.due()));
      written.add(Duration.ofNanos(wrote - at.due()));
    });
    return new Posted(new Samples(answered), new Samples(written));
  }
}
