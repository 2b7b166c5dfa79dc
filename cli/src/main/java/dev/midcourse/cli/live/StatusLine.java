package dev.midcourse.cli.live;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;

/** The status row: the current activity of the run. Thread-safe. */
final class StatusLine {
  private final Instant began;
  private final Glyphs glyphs;

  /** Guarded by this. */
  private String doing = "starting";

  private String state = "queued";
  private String asks = "";
  private String turn = "";

  StatusLine(Instant began, Glyphs glyphs) {
    this.began = began;
    this.glyphs = glyphs;
  }

  synchronized void see(RunInfo run) {
    state = run.state();
    doing = run.doing().map(TextSanitizer::line).orElse(doing);
    turn = run.number("turn") > 0 ? "turn " + run.number("turn") : "";
  }

  synchronized void see(JsonValue.Obj event) {
    switch (event.text("kind").orElse("")) {
      case "run_picked" -> state = "running";
      case "run_queued", "run_restarted" -> state = "queued";
      case "turn_started" -> {
        turn = "turn " + text(event, "turn");
        doing = "thinking";
      }
      case "tool_started" -> doing = text(event, "tool") + ": " + text(event, "summary");
      case "said", "tool_finished" -> doing = "thinking";
      case "progressed" -> doing = text(event, "summary");
      case "waiting" -> doing = "waiting: " + text(event, "reason");
      case "stop_asked" -> doing = "stopping";
      case "asked" ->
          asks = "waiting for your answer: " + text(event, "question") + " (/allow or /deny)";
      case "ask_answered", "ask_closed" -> asks = "";
      default -> {}
    }
  }

  synchronized String line(Instant now) {
    long frame = Duration.between(began, now).toMillis() / 200;
    String dot = " " + glyphs.dot() + " ";
    StringBuilder line = new StringBuilder(glyphs.spinner(Math.max(0, frame)));
    line.append(' ').append(DurationText.clock(Duration.between(began, now)));
    line.append(dot).append(state.equals("queued") ? "queued" : turn.isEmpty() ? state : turn);
    line.append(dot).append(asks.isEmpty() ? doing : asks);
    return line.toString();
  }

  private static String text(JsonValue.Obj event, String name) {
    return TextSanitizer.line(event.text(name).orElse(""));
  }
}
