package dev.midcourse.cli.format;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Prints runs as a table. The id is the first column and the need of the run is the last. */
public final class RunListTable {
  private static final int MAX_DOING = 200;

  private final Instant now;
  private final Table table =
      new Table(
          List.of(
              Column.id("RUN"),
              Column.whole("STATE"),
              new Column("WORKER", Kind.WHOLE, 6),
              new Column("AGENT", Kind.WHOLE, 3),
              new Column("ACTIVITY", Kind.SHRINKS, 1),
              new Column("SINCE", Kind.NUMBER, 2),
              new Column("STEERS", Kind.NUMBER, 4),
              new Column("COST", Kind.NUMBER, 5),
              Column.whole("ATTENTION")));

  public RunListTable(Instant now) {
    this.now = now;
  }

  public void add(RunInfo run) {
    String doing = RunStatusText.doing(run, now);
    table.row(
        List.of(
            Cell.of(run.id()),
            new Cell(run.state(), StateColor.of(run.state())),
            Cell.of(run.worker()),
            Cell.of(run.agent()),
            Cell.of(doing.length() > MAX_DOING ? doing.substring(0, MAX_DOING) : doing),
            Cell.of(
                RunStatusText.since(run)
                    .map(at -> DurationText.span(Duration.between(at, now)))
                    .orElse("")),
            Cell.of(run.number("steers") == 0 ? "" : Long.toString(run.number("steers"))),
            Cell.of(CostText.of(run.dollars())),
            new Cell(run.text("needs").map(NeedText::of).orElse(""), TextColor.YELLOW)));
  }

  public boolean isEmpty() {
    return table.isEmpty();
  }

  /** Prints the rows that were added since the last call. */
  public void print(TerminalOutput page) {
    table.print(page);
  }
}
