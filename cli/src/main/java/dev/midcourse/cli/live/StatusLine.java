package dev.midcourse.cli.live;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.format.RunStatusText;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The status row: the current activity of the run. Thread-safe. */
final class StatusLine {
  private final Instant began;
  private final Glyphs glyphs;

  /** Guarded by this. */
  private String doing = "starting";

  private String state = "queued";
  private final Map<String, JsonValue.Obj> asks = new LinkedHashMap<>();
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

  /** Adds a question that is open. */
  synchronized void seeOpen(JsonValue.Obj ask) {
    asks.putIfAbsent(ask.text("ask").orElse(""), ask);
  }

  /** Returns the question that the line shows: the oldest open one. */
  synchronized Optional<JsonValue.Obj> openAsk() {
    return asks.values().stream().findFirst();
  }

  synchronized void see(JsonValue.Obj event) {
    switch (event.text("kind").orElse("")) {
      case "run_picked" -> state = "running";
      case "run_queued", "run_restarted" -> state = "queued";
      case "turn_started" -> {
        turn = "turn " + text(event, "turn");
        doing = "thinking";
      }
      case "tool_started" -> doing = exact(event, "tool") + ": " + exact(event, "summary");
      case "said", "tool_finished" -> doing = "thinking";
      case "progressed" -> doing = text(event, "summary");
      case "waiting" -> doing = "waiting: " + text(event, "reason");
      case "idle" ->
          doing = HubTimes.of(text(event, "until")).map(RunStatusText::idle).orElse("idle");
      case "stop_asked" -> doing = "stopping";
      case "asked" -> seeOpen(event);
      case "ask_answered", "ask_closed" -> asks.remove(text(event, "ask"));
      case "turn_ended", "attempt_lost", "run_ended" -> asks.clear();
      default -> {}
    }
  }

  synchronized String line(Instant now) {
    long frame = Duration.between(began, now).toMillis() / 200;
    String dot = " " + glyphs.dot() + " ";
    StringBuilder line = new StringBuilder(glyphs.spinner(Math.max(0, frame)));
    line.append(' ').append(DurationText.clock(Duration.between(began, now)));
    line.append(dot).append(state.equals("queued") ? "queued" : turn.isEmpty() ? state : turn);
    line.append(dot).append(openAsk().map(StatusLine::waiting).orElse(doing));
    return line.toString();
  }

  /** The commands come first, because the end of a long line is cut off. */
  private static String waiting(JsonValue.Obj ask) {
    return switch (AnswerRequest.kind(ask)) {
      case PERMISSION -> "waiting for approval (/allow or /deny): " + exact(ask, "question");
      case QUESTION -> "waiting for an answer (/answer TEXT): " + exact(ask, "question");
    };
  }

  private static String exact(JsonValue.Obj event, String name) {
    return TextSanitizer.exactLine(event.text(name).orElse(""));
  }

  private static String text(JsonValue.Obj event, String name) {
    return TextSanitizer.line(event.text(name).orElse(""));
  }
}
