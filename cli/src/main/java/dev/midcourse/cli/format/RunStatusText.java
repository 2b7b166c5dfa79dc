package dev.midcourse.cli.format;

import dev.midcourse.cli.client.RunInfo;
import java.time.Instant;
import java.util.Optional;

/** Where a run stands, for a list: what it does, and since when. */
public final class RunStatusText {
  private RunStatusText() {}

  public static String doing(RunInfo run) {
    if (run.json().is("stop_asked") && run.live()) {
      return "stopping";
    }
    return switch (run.state()) {
      case "queued" -> queued(run);
      case "running" -> run.doing().orElse("starting");
      default -> firstLine(run.text("result").orElse(""));
    };
  }

  private static String queued(RunInfo run) {
    Optional<String> place = run.text("place_in_queue");
    return run.at("not_before").isPresent()
        ? "tries again later"
        : "waits for " + run.worker() + place.map(number -> ", place " + number).orElse("");
  }

  public static Optional<Instant> since(RunInfo run) {
    return switch (run.state()) {
      case "queued" -> run.at("created_at");
      case "running" -> run.progressAt().or(() -> run.at("started_at"));
      default -> run.at("ended_at");
    };
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
