package dev.midcourse.cli.format;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The activity of a run, for a list, and since when. */
public final class RunStatusText {
  private RunStatusText() {}

  public static String doing(RunInfo run, Instant now) {
    if (run.json().is("stop_asked") && run.live()) {
      return "stopping";
    }
    return switch (run.state()) {
      case "queued" -> queued(run, now);
      case "running" -> running(run);
      case "review_requested" -> words(run, "waiting for review");
      default -> words(run, "");
    };
  }

  private static String queued(RunInfo run, Instant now) {
    Optional<String> place = run.text("place_in_queue");
    return run.at("not_before")
        .map(at -> "retrying" + in(at, now) + " (attempt " + (run.number("attempt") + 1) + ")")
        .orElseGet(() ->
            "waiting for worker "
                + run.worker()
                + place.map(number -> ", position " + number).orElse(""));
  }

  private static String running(RunInfo run) {
    return run.at("idle_until")
        .map(RunStatusText::idle)
        .orElseGet(() -> run.doing().orElse("starting"));
  }

  /** What an idle agent does, until this time. */
  public static String idle(Instant until) {
    return "idle, waiting for the next message until " + ClockText.time(until);
  }

  private static String in(Instant at, Instant now) {
    return at.isAfter(now) ? " in " + DurationText.span(Duration.between(now, at)) : "";
  }

  public static Optional<Instant> since(RunInfo run) {
    return switch (run.state()) {
      case "queued" -> run.at("created_at");
      case "running" -> run.at("idle_since").or(run::progressAt).or(() -> run.at("started_at"));
      default -> run.at("ended_at");
    };
  }

  /** The first line of the result that is text; a completion is JSON for programs. */
  private static String words(RunInfo run, String otherwise) {
    return run.text("result")
        .orElse("")
        .replaceAll("(?s)<completion>.*?(</completion>|$)", "\n")
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse(otherwise);
  }
}
