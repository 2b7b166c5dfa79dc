package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.json.Json;
import java.util.Optional;

/** What an event says about the row of its run. */
final class Progress {
  private Progress() {}

  /** The run with what the event says in full; nothing if it has to be asked for, or is no news. */
  static Optional<RunInfo> after(RunInfo run, String kind, Json.Obj event) {
    return switch (kind) {
      case "tool_started", "progressed" -> Optional.of(doing(run, event));
      case "turn_started" ->
          Optional.of(
              new RunInfo(
                  run.json().with("turn", event.number("turn").orElse(run.number("turn")))));
      default -> Optional.empty();
    };
  }

  private static RunInfo doing(RunInfo run, Json.Obj event) {
    Json.Obj progress =
        Json.Obj.EMPTY
            .with("phase", event.text("phase"))
            .with("summary", event.text("summary"))
            .with("tool", event.text("tool"))
            .with("at", event.text("at"));
    return new RunInfo(run.json().with("progress", progress));
  }

  /** Whether the run may look different now in a way that only the hub knows. */
  static boolean needsAsking(String kind) {
    return switch (kind) {
      case "said", "tool_finished", "session_named", "garbage", "noted", "steer_raised" -> false;
      default -> true;
    };
  }
}
