package dev.midcourse.cli.format;

import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.time.LocalDate;
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

  /** The day of the lines above; at first today, which needs no date. */
  private LocalDate shownDay;

  public LogPrinter(TerminalOutput page, Instant now) {
    this.shownDay = LocalDate.ofInstant(now, zone);
    this.page = page;
    this.formatter = new EventFormatter(page.glyphs());
  }

  /** Prints the date before the first event of another day than that of the line above. */
  private void printDate(Instant at) {
    LocalDate day = LocalDate.ofInstant(at, zone);
    if (!day.equals(shownDay)) {
      shownDay = day;
      page.line(page.paint(TextColor.DIM, day.toString()));
    }
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
    event.text("at").flatMap(HubTimes::of).ifPresent(this::printDate);
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
