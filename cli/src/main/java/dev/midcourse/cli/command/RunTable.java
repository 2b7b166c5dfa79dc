package dev.midcourse.cli.command;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.story.Money;
import dev.midcourse.cli.story.Standing;
import dev.midcourse.cli.story.StateInk;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Runs as a table: the id first, what needs a person last. */
final class RunTable {
  private static final int LONGEST_DOING = 200;

  private final Instant now;
  private final Table table =
      new Table(
          List.of(
              Column.whole("RUN"),
              Column.whole("STATE"),
              new Column("WORKER", Kind.WHOLE, 4),
              new Column("AGENT", Kind.WHOLE, 1),
              Column.shrinks("DOING"),
              new Column("SINCE", Kind.NUMBER, 0),
              new Column("STEERS", Kind.NUMBER, 2),
              new Column("COST", Kind.NUMBER, 3),
              Column.whole("NEEDS")));

  RunTable(Instant now) {
    this.now = now;
  }

  void add(RunInfo run) {
    String doing = Standing.doing(run);
    table.row(
        List.of(
            Cell.of(run.id()),
            new Cell(run.state(), StateInk.of(run.state())),
            Cell.of(run.worker()),
            Cell.of(run.agent()),
            Cell.of(doing.length() > LONGEST_DOING ? doing.substring(0, LONGEST_DOING) : doing),
            Cell.of(Standing.since(run).map(at -> Ago.span(Duration.between(at, now))).orElse("")),
            Cell.of(run.number("steers") == 0 ? "" : Long.toString(run.number("steers"))),
            Cell.of(Money.of(run.dollars())),
            new Cell(run.text("needs").orElse(""), Ink.YELLOW)));
  }

  boolean isEmpty() {
    return table.isEmpty();
  }

  /** Prints those that were added since the last time. */
  void print(Page page) {
    table.print(page);
  }
}
