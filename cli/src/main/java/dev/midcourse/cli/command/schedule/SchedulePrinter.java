package dev.midcourse.cli.command.schedule;

import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.stream.Stream;

/** Prints schedules for a person, or as JSON. Times are local to the zone of each schedule. */
record SchedulePrinter(ShellContext shell, boolean json) {

  /** The schedule after a change: its state, and its next times. */
  void next(JsonValue.Obj schedule) {
    if (json) {
      CommonOptions.print(shell, schedule);
      return;
    }
    shell.page().line(head(schedule));
    List<String> times = upcoming(schedule);
    for (int i = 0; i < times.size(); i++) {
      shell.page().line((i == 0 ? "  next  " : "        ") + times.get(i));
    }
  }

  private String head(JsonValue.Obj schedule) {
    return shell.page().paint(TextColor.BOLD, word(schedule, "schedule_id"))
        + "  "
        + word(schedule, "state")
        + "  "
        + shell
            .page()
            .paint(TextColor.DIM, word(schedule, "timing") + ", " + word(schedule, "zone"));
  }

  void list(JsonValue.Obj answer) {
    List<JsonValue.Obj> schedules = answer.objects("schedules");
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    if (schedules.isEmpty()) {
      shell.page().line("No schedules. Add one: midcourse schedule add \"0 9 * * *\" PROMPT");
      return;
    }
    Table table =
        new Table(
            List.of(
                Column.whole("SCHEDULE"),
                Column.whole("NEXT"),
                Column.whole("ZONE"),
                Column.whole("TIMING"),
                Column.whole("WORKER"),
                Column.whole("LAST"),
                Column.shrinks("NAME")));
    for (JsonValue.Obj schedule : schedules) {
      String next = schedule.text("next_local").orElse(word(schedule, "state"));
      table.row(
          List.of(
              Cell.of(word(schedule, "schedule_id")),
              Cell.of(next),
              Cell.of(word(schedule, "zone")),
              Cell.of(word(schedule, "timing")),
              Cell.of(word(schedule, "worker")),
              Cell.of(last(schedule)),
              Cell.of(word(schedule, "name"))));
    }
    table.print(shell.page());
  }

  private static String last(JsonValue.Obj schedule) {
    JsonValue.Obj due = schedule.object("last");
    return due.fields().isEmpty()
        ? "-"
        : due.text("run_id").map(TextSanitizer::line).orElse("nothing");
  }

  void details(JsonValue.Obj answer) {
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    JsonValue.Obj schedule = answer.object("schedule");
    KeyValueTable facts = new KeyValueTable(shell.page());
    facts.add("schedule", TextColor.BOLD, word(schedule, "schedule_id"));
    facts.add("name", word(schedule, "name"));
    facts.add("state", word(schedule, "state"));
    facts.add("timing", word(schedule, "timing"));
    facts.add("zone", word(schedule, "zone"));
    facts.add("next", String.join(", ", upcoming(schedule)));
    facts.add("missed", word(schedule, "missed"));
    facts.add("worker", word(schedule, "worker"));
    for (String optional : List.of("agent", "dir", "conversation", "check")) {
      schedule.text(optional).ifPresent(text -> facts.add(optional, TextSanitizer.line(text)));
    }
    facts.addWhole("prompt", TextSanitizer.line(word(schedule, "prompt")));
    facts.print();
    List<JsonValue.Obj> runs = answer.objects("runs");
    if (!runs.isEmpty()) {
      Table table =
          new Table(List.of(Column.whole("DUE"), Column.whole("RUN"), Column.shrinks("NOTE")));
      for (JsonValue.Obj due : runs) {
        table.row(
            List.of(
                Cell.of(word(due, "due_local")),
                Cell.of(due.text("run_id").map(TextSanitizer::line).orElse("nothing")),
                Cell.of(word(due, "reason"))));
      }
      shell.page().line("");
      table.print(shell.page());
    }
  }

  /** The run that was started by hand. */
  void started(JsonValue.Obj answer) {
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    JsonValue.Obj due = answer.objects("runs").stream().findFirst().orElse(JsonValue.Obj.EMPTY);
    shell
        .page()
        .line(due.text("run_id").map(TextSanitizer::line).orElseGet(() -> word(due, "reason")));
  }

  private static List<String> upcoming(JsonValue.Obj schedule) {
    return schedule.get("upcoming").orElse(new JsonValue.Null()) instanceof JsonValue.Arr times
        ? times.values().stream()
            .flatMap(
                time -> time instanceof JsonValue.Str(String text) ? Stream.of(text) : Stream.of())
            .toList()
        : List.of();
  }

  private static String word(JsonValue.Obj fields, String name) {
    return TextSanitizer.line(fields.text(name).orElse(""));
  }
}
