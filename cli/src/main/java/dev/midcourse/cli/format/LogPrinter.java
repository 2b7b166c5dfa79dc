package dev.midcourse.cli.format;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.json.JsonValue;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Prints all events, details included, each with its local time. */
public final class LogPrinter {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final String INDENT = " ".repeat("00:00:00  ".length());

  private final TerminalOutput page;
  private final EventFormatter formatter;
  private final ZoneId zone = ZoneId.systemDefault();

  public LogPrinter(TerminalOutput page) {
    this.page = page;
    this.formatter = new EventFormatter(page.glyphs());
  }

  public void print(JsonValue.Obj event) {
    Optional<EventLine> line = formatter.tell(event);
    if (line.isEmpty()) {
      return;
    }
    String time =
        event
            .text("at")
            .flatMap(HubTimes::of)
            .map(at -> TIME.format(LocalTime.ofInstant(at, zone)))
            .orElse("        ");
    String text = line.get().text();
    int end = text.indexOf('\n');
    String first = end < 0 ? text : text.substring(0, end);
    page.line(page.paint(TextColor.DIM, time) + "  " + page.paint(line.get().color(), first));
    if (end >= 0) {
      text.substring(end + 1)
          .lines()
          .forEach(more -> page.line(INDENT + page.paint(line.get().color(), more)));
    }
  }
}
