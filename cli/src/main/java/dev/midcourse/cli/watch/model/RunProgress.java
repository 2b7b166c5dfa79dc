package dev.midcourse.cli.watch.model;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Applies events to the row of a run. */
final class RunProgress {
  private static final int MAX_LENGTH = 200;

  private RunProgress() {}

  /**
   * Returns the run after the event; empty if the event has no complete information about the run.
   */
  static Optional<RunInfo> after(RunInfo run, String kind, JsonValue.Obj event) {
    return switch (kind) {
      case "tool_started", "progressed" -> Optional.of(doing(run, event));
      case "said" -> Optional.of(doing(run, event.with("summary", said(event))));
      case "turn_started" ->
          Optional.of(
              new RunInfo(
                  run.json().with("turn", event.number("turn").orElse(run.number("turn")))));
      default -> Optional.empty();
    };
  }

  private static RunInfo doing(RunInfo run, JsonValue.Obj event) {
    JsonValue.Obj progress =
        JsonValue.Obj.EMPTY
            .with("phase", event.text("phase"))
            .with("summary", event.text("summary"))
            .with("tool", event.text("tool"))
            .with("at", event.text("at"));
    return new RunInfo(run.json().with("progress", progress));
  }

  private static String said(JsonValue.Obj event) {
    String line = TextSanitizer.line(event.text("text").orElse(""));
    return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) : line;
  }

  /**
   * Returns the run as the hub stored it, with newer progress from events. The hub stores the
   * activity of an agent only every few seconds.
   */
  static RunInfo newest(Optional<RunInfo> known, RunInfo kept) {
    return known
        .filter(run -> kept.live() && run.number("attempt") == kept.number("attempt"))
        .filter(run -> isLater(run.progressAt(), kept.progressAt()))
        .map(run -> new RunInfo(kept.json().with("progress", run.progress())))
        .orElse(kept);
  }

  /** Returns the stored run with the progress of its later events. */
  static RunInfo after(RunInfo kept, List<JsonValue.Obj> story) {
    RunInfo run = kept;
    for (JsonValue.Obj event : story) {
      if (isLater(event.text("at").flatMap(HubTimes::of), run.progressAt())) {
        run = after(run, event.text("kind").orElse(""), event).orElse(run);
      }
    }
    return run;
  }

  private static boolean isLater(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.filter(at -> !at.isBefore(one.get())).isEmpty();
  }

  /** Returns whether the event may change the run in a way that only the hub knows. */
  static boolean needsAsking(String kind) {
    return switch (kind) {
      case "tool_finished", "session_named", "garbage", "noted", "steer_raised" -> false;
      default -> true;
    };
  }
}
