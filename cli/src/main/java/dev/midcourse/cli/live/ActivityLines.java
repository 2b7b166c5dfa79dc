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

/** Events as lines with the time since the run began; details are left out. */
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

  /** The lines to show; none for what is no news, and none for the end, which is told last. */
  List<String> of(JsonValue.Obj event) {
    if (event.text("kind").orElse("").equals("run_ended")) {
      return List.of();
    }
    Optional<EventLine> told =
        formatter.tell(event).filter(line -> line.weight() == EventLine.Weight.NEWS);
    if (told.isEmpty() || told.get().text().isEmpty()) {
      return List.of();
    }
    TextColor color = told.get().color();
    List<String> texts = rows(told.get().text());
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

  /** Whole into a pipe; broken between words on a terminal, which would break them anywhere. */
  private List<String> rows(String text) {
    return page.terminal()
        ? TextWrap.rows(text, page.columns() - TIME - 2, Integer.MAX_VALUE)
        : text.lines().toList();
  }

  private String sinceBegan(Instant at) {
    return DurationText.clock(Duration.between(began, at));
  }
}
