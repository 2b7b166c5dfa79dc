package dev.midcourse.cli.command.loop;

import dev.midcourse.cli.format.ClockText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;

/** Prints loops for a person, or as JSON. */
record LoopPrinter(ShellContext shell, boolean json) {
  private static final String SHOW = "midcourse autopilot show ";

  void started(JsonValue.Obj loop) {
    if (json) {
      CommonOptions.print(shell, loop);
    } else {
      shell.page().line(word(loop, "loop_id"));
    }
  }

  /** The first line of a loop that is followed. */
  void head(JsonValue.Obj loop, boolean begun) {
    if (!json) {
      String id = word(loop, "loop_id");
      shell
          .page()
          .line(
              shell.page().paint(TextColor.BOLD, id)
                  + " "
                  + shell
                      .page()
                      .paint(
                          TextColor.DIM,
                          word(loop, "branch")
                              + ", "
                              + word(loop, "agent")
                              + ", reviewed by "
                              + word(loop, "reviewer")));
      if (begun) {
        shell.page().line("  steer it: midcourse autopilot steer " + id + " TEXT");
      }
    }
  }

  void news(JsonValue.Obj details) {
    for (JsonValue.Obj news : details.objects("news")) {
      if (json) {
        CommonOptions.print(shell, news);
      } else {
        String time =
            shell.page().paint(TextColor.DIM, ClockText.time(Instant.parse(word(news, "at"))));
        shell.page().line(time + "  " + word(news, "text"));
      }
    }
  }

  /** The last line of a loop that is followed: how it ended, or what it asks. */
  void end(JsonValue.Obj loop) {
    if (json) {
      CommonOptions.print(shell, loop);
      return;
    }
    if (word(loop, "phase").equals("parked")) {
      shell.page().line("  go on: midcourse autopilot go " + word(loop, "loop_id"));
      shell.page().line("  look:  " + SHOW + word(loop, "loop_id"));
    } else {
      shell.page().line("  look:  " + SHOW + word(loop, "loop_id"));
    }
  }

  /** The loop after an order. */
  void state(JsonValue.Obj loop) {
    if (json) {
      CommonOptions.print(shell, loop);
      return;
    }
    shell
        .page()
        .line(
            shell.page().paint(TextColor.BOLD, word(loop, "loop_id"))
                + "  "
                + phase(loop)
                + (word(loop, "result").isEmpty() ? "" : "  " + word(loop, "result")));
    String question = word(loop.object("parked"), "question");
    if (!question.isEmpty()) {
      shell.page().line("  " + question);
    }
  }

  private static String phase(JsonValue.Obj loop) {
    String reason = word(loop.object("parked"), "reason");
    return word(loop, "phase") + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  /** Where the newest steer went. */
  void steered(JsonValue.Obj loop) {
    if (json) {
      CommonOptions.print(shell, loop);
      return;
    }
    List<JsonValue.Obj> steers = loop.objects("steers");
    JsonValue.Obj newest = steers.isEmpty() ? JsonValue.Obj.EMPTY : steers.getLast();
    shell
        .page()
        .line(
            "steer "
                + word(newest, "steer_id").substring(0, 8)
                + " of "
                + word(loop, "loop_id")
                + ": "
                + word(newest, "state"));
  }

  void list(JsonValue.Obj answer) {
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    List<JsonValue.Obj> loops = answer.objects("loops");
    if (loops.isEmpty()) {
      shell.page().line("No loops. Start one: midcourse autopilot \"TASK\" --ci COMMAND");
      return;
    }
    Table table =
        new Table(
            List.of(
                Column.whole("LOOP"),
                Column.whole("PHASE"),
                Column.whole("ROUND"),
                Column.whole("FIXES"),
                Column.whole("OPEN"),
                Column.shrinks("WHAT")));
    for (JsonValue.Obj loop : loops) {
      table.row(
          List.of(
              Cell.of(word(loop, "loop_id")),
              Cell.of(phase(loop)),
              Cell.of(word(loop.object("check"), "round")),
              Cell.of(word(loop, "fixes") + "/" + word(loop, "max_fixes")),
              Cell.of(word(loop, "open")),
              Cell.of(changeNumber(loop) + what(loop))));
    }
    table.print(shell.page());
  }

  /** What waits for a person: the questions of parked loops. */
  void next(JsonValue.Obj answer) {
    List<JsonValue.Obj> parked =
        answer.objects("loops").stream().filter(it -> word(it, "phase").equals("parked")).toList();
    if (json) {
      CommonOptions.print(
          shell,
          JsonValue.Obj.EMPTY.with("loops", new JsonValue.Arr(List.<JsonValue>copyOf(parked))));
      return;
    }
    if (parked.isEmpty()) {
      shell.page().line("No loop waits for you.");
    }
    parked.forEach(this::state);
  }

  private static String changeNumber(JsonValue.Obj loop) {
    String number = word(loop.object("change"), "number");
    return number.isEmpty() ? "" : "#" + number + ": ";
  }

  private static String what(JsonValue.Obj loop) {
    String question = word(loop.object("parked"), "question");
    if (!question.isEmpty()) {
      return question;
    }
    String result = word(loop, "result");
    return result.isEmpty() ? word(loop, "prompt") : result;
  }

  /** The loops that wait to land, a table for each branch. */
  void queues(JsonValue.Obj answer) {
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    if (answer.objects("queues").isEmpty()) {
      shell.page().line("No loop waits to land.");
      return;
    }
    for (JsonValue.Obj queue : answer.objects("queues")) {
      shell
          .page()
          .line(
              shell.page().paint(TextColor.BOLD, word(queue, "base"))
                  + " of "
                  + word(queue, "repo")
                  + ", "
                  + tested(queue.object("test")));
      Table table =
          new Table(
              List.of(
                  Column.whole("PLACE"),
                  Column.whole("LOOP"),
                  Column.whole("COMMIT"),
                  Column.shrinks("NOW")));
      for (JsonValue.Obj loop : queue.objects("loops")) {
        table.row(
            List.of(
                Cell.of(word(loop, "number")),
                Cell.of(word(loop, "loop_id")),
                Cell.of(shortened(word(loop, "head"))),
                Cell.of(loop.is("tested") ? "in the merge" : "waits")));
      }
      table.print(shell.page());
    }
  }

  private static String tested(JsonValue.Obj test) {
    String commit = shortened(word(test, "commit"));
    return commit.isEmpty() ? "no test yet" : "tests " + commit + " as run " + word(test, "run_id");
  }

  void details(JsonValue.Obj details) {
    JsonValue.Obj loop = details.object("loop");
    if (json) {
      CommonOptions.print(
          shell, details.get("queue").map(place -> loop.with("queue", place)).orElse(loop));
      return;
    }
    KeyValueTable facts = new KeyValueTable(shell.page());
    facts.add("loop", TextColor.BOLD, word(loop, "loop_id"));
    facts.add("phase", phase(loop));
    addIfThere(facts, "question", word(loop.object("parked"), "question"));
    addIfThere(facts, "result", word(loop, "result"));
    facts.add("branch", word(loop, "branch") + ", from " + word(loop, "base"));
    LoopForgePrinter.change(facts, loop.object("change"));
    facts.add("agent", word(loop, "agent"));
    JsonValue.Obj check = loop.object("check");
    if (!check.fields().isEmpty()) {
      facts.add("round", word(check, "round") + ", commit " + shortened(word(check, "head")));
    }
    facts.add("review", of(check, "review", "by " + word(loop, "reviewer")));
    facts.add("ci", of(check, "ci", loop.text("ci").map(TextSanitizer::line).orElse("none")));
    JsonValue.Obj queue = details.object("queue");
    if (!queue.fields().isEmpty()) {
      facts.add(
          "queue",
          word(queue, "number")
              + " of "
              + word(queue, "waiting")
              + (queue.object("test").fields().isEmpty()
                  ? ", waits"
                  : ", " + tested(queue.object("test"))));
    }
    facts.add("fixes", word(loop, "fixes") + " of " + word(loop, "max_fixes"));
    facts.add("reviews", word(loop, "reviews") + " of " + word(loop, "max_reviews"));
    if (word(loop, "result").isEmpty()) {
      facts.add("a steer goes", word(loop, "steers_go"));
    }
    facts.addWhole("task", word(loop, "prompt"));
    facts.print();
    findings(loop);
    calls(loop);
    steers(loop);
  }

  static void addIfThere(KeyValueTable facts, String name, String text) {
    if (!text.isEmpty()) {
      facts.addWhole(name, text);
    }
  }

  private static String of(JsonValue.Obj check, String what, String before) {
    String text = word(check, what);
    return text.isEmpty() ? before : text;
  }

  private void findings(JsonValue.Obj loop) {
    Table table =
        new Table(
            List.of(
                Column.whole("FINDING"),
                Column.whole("STATE"),
                Column.whole("SEVERITY"),
                Column.whole("FROM"),
                Column.shrinks("WHAT")));
    for (JsonValue.Obj finding : loop.objects("findings")) {
      String place = word(finding, "place");
      table.row(
          List.of(
              Cell.of(word(finding, "id")),
              Cell.of(word(finding, "state")),
              Cell.of(word(finding, "severity")),
              Cell.of(word(finding, "source")),
              Cell.of((place.isEmpty() ? "" : place + ": ") + word(finding, "title"))));
    }
    printIfAny(table, loop.objects("findings"));
  }

  private void calls(JsonValue.Obj loop) {
    Table table =
        new Table(
            List.of(
                Column.whole("CALL"),
                Column.whole("ROUND"),
                Column.whole("RUN"),
                Column.shrinks("RESULT")));
    for (JsonValue.Obj call : loop.objects("calls")) {
      String result = word(call, "result");
      table.row(
          List.of(
              Cell.of(word(call, "kind")),
              Cell.of(word(call, "round")),
              Cell.of(word(call, "run_id")),
              Cell.of(call.text("ended_at").isEmpty() ? "at work" : result)));
    }
    printIfAny(table, loop.objects("calls"));
  }

  private void steers(JsonValue.Obj loop) {
    Table table =
        new Table(List.of(Column.whole("STEER"), Column.whole("STATE"), Column.shrinks("TEXT")));
    for (JsonValue.Obj steer : loop.objects("steers")) {
      table.row(
          List.of(
              Cell.of(word(steer, "steer_id").substring(0, 8)),
              Cell.of(word(steer, "state")),
              Cell.of(word(steer, "text"))));
    }
    printIfAny(table, loop.objects("steers"));
  }

  private void printIfAny(Table table, List<JsonValue.Obj> rows) {
    if (!rows.isEmpty()) {
      shell.page().line("");
      table.print(shell.page());
    }
  }

  private static String shortened(String commit) {
    return commit.length() > 10 ? commit.substring(0, 10) : commit;
  }

  static String word(JsonValue.Obj fields, String name) {
    return TextSanitizer.line(fields.text(name).orElse(""));
  }
}
