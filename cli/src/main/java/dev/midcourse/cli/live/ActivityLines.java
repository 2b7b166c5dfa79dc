package dev.midcourse.cli.live;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.format.EventFormatter;
import dev.midcourse.cli.format.EventLine;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextWrap;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Formats events as lines with the time since the start of the run, without details. */
final class ActivityLines {
  private static final int TIME = 6;

  private final TerminalOutput page;
  private final EventFormatter formatter;
  private final Instant began;

  ActivityLines(TerminalOutput page, Instant began) {
    this.page = page;
    this.formatter = new EventFormatter(page.glyphs());
    this.began = began;
  }

  /**
   * Returns the lines for an event; none for a detail, and none for the end of the run, which the
   * caller prints last.
   */
  List<String> of(JsonValue.Obj event) {
    if (event.text("kind").orElse("").equals("run_ended")) {
      return List.of();
    }
    Optional<EventLine> formatted =
        formatter.tell(event).filter(line -> line.weight() == EventLine.Weight.NEWS);
    if (formatted.isEmpty() || formatted.get().text().isEmpty()) {
      return List.of();
    }
    TextColor color = formatted.get().color();
    List<String> texts = rows(formatted.get().text());
    String time = event.text("at").flatMap(HubTimes::of).map(this::sinceBegan).orElse("");
    String first =
        DisplayWidth.padded(" ".repeat(Math.max(0, TIME - 1 - time.length())) + time, TIME);
    List<String> lines = new java.util.ArrayList<>();
    for (String text : texts) {
      String margin = lines.isEmpty() ? page.paint(TextColor.DIM, first) : " ".repeat(TIME);
      lines.add(margin + " " + page.paint(color, text));
    }
    return lines;
  }

  /** Returns the last lines of these events. */
  List<String> tail(List<JsonValue.Obj> events, int rows) {
    List<String> lines = events.stream().flatMap(event -> of(event).stream()).toList();
    return lines.subList(Math.max(0, lines.size() - rows), lines.size());
  }

  /** Returns a line without a time, below the line of an event. */
  String below(String text) {
    return " ".repeat(TIME + 1) + page.paint(TextColor.BOLD, text);
  }

  /**
   * Returns the lines of the text unchanged for a pipe. For a terminal, long lines are broken
   * between words.
   */
  private List<String> rows(String text) {
    return page.terminal()
        ? TextWrap.rows(text, page.columns() - TIME - 2, Integer.MAX_VALUE)
        : text.lines().toList();
  }

  private String sinceBegan(Instant at) {
    return DurationText.clock(Duration.between(began, at));
  }
}
