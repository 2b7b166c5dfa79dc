package dev.midcourse.cli.live;

import dev.midcourse.cli.client.Times;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Width;
import dev.midcourse.cli.screen.Wrap;
import dev.midcourse.cli.story.Line;
import dev.midcourse.cli.story.Teller;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Events as lines with the time since the run began; details are left out. */
final class News {
  private static final int TIME = 6;

  private final Page page;
  private final Teller teller;
  private final Instant began;

  News(Page page, Instant began) {
    this.page = page;
    this.teller = new Teller(page.signs());
    this.began = began;
  }

  /** The lines to show; none for what is no news, and none for the end, which is told last. */
  List<String> of(JsonValue.Obj event) {
    if (event.text("kind").orElse("").equals("run_ended")) {
      return List.of();
    }
    Optional<Line> told = teller.tell(event).filter(line -> line.weight() == Line.Weight.NEWS);
    if (told.isEmpty() || told.get().text().isEmpty()) {
      return List.of();
    }
    Ink ink = told.get().ink();
    List<String> texts = rows(told.get().text());
    String time = event.text("at").flatMap(Times::of).map(this::sinceBegan).orElse("");
    String first = Width.padded(" ".repeat(Math.max(0, TIME - 1 - time.length())) + time, TIME);
    List<String> lines = new java.util.ArrayList<>();
    for (String text : texts) {
      String margin = lines.isEmpty() ? page.paint(Ink.DIM, first) : " ".repeat(TIME);
      lines.add(margin + " " + page.paint(ink, text));
    }
    return lines;
  }

  /** Whole into a pipe; broken between words on a terminal, which would break them anywhere. */
  private List<String> rows(String text) {
    return page.terminal()
        ? Wrap.rows(text, page.columns() - TIME - 2, Integer.MAX_VALUE)
        : text.lines().toList();
  }

  private String sinceBegan(Instant at) {
    return Ago.clock(Duration.between(began, at));
  }
}
