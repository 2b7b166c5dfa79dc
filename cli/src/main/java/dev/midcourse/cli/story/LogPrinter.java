package dev.midcourse.cli.story;

import dev.midcourse.cli.client.Times;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.core.json.JsonValue;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Prints events with the local time of each, every detail included. */
public final class LogPrinter {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final String INDENT = " ".repeat("00:00:00  ".length());

  private final Page page;
  private final Teller teller;
  private final ZoneId zone = ZoneId.systemDefault();

  public LogPrinter(Page page) {
    this.page = page;
    this.teller = new Teller(page.signs());
  }

  public void print(JsonValue.Obj event) {
    Optional<Line> line = teller.tell(event);
    if (line.isEmpty()) {
      return;
    }
    String time =
        event
            .text("at")
            .flatMap(Times::of)
            .map(at -> TIME.format(LocalTime.ofInstant(at, zone)))
            .orElse("        ");
    String text = line.get().text();
    int end = text.indexOf('\n');
    String first = end < 0 ? text : text.substring(0, end);
    page.line(page.paint(Ink.DIM, time) + "  " + page.paint(line.get().ink(), first));
    if (end >= 0) {
      text.substring(end + 1)
          .lines()
          .forEach(more -> page.line(INDENT + page.paint(line.get().ink(), more)));
    }
  }
}
