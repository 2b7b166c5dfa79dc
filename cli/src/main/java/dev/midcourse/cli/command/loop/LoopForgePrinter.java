package dev.midcourse.cli.command.loop;

import dev.midcourse.cli.format.ClockText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.List;

/** Prints what concerns the forges of loops, for a person or as JSON. */
record LoopForgePrinter(ShellContext shell, boolean json) {

  /** What a loop would do. */
  void plan(JsonValue.Obj request, JsonValue.Obj plan) {
    if (json) {
      CommonOptions.print(shell, request.with("plan", plan));
      return;
    }
    KeyValueTable facts = new KeyValueTable(shell.page());
    facts.add("task", LoopPrinter.word(request, "prompt").lines().findFirst().orElse(""));
    facts.add("repository", LoopPrinter.word(request, "repo"));
    LoopPrinter.addIfThere(
        facts,
        "base",
        LoopPrinter.word(plan, "base").isEmpty()
            ? LoopPrinter.word(request, "base")
            : LoopPrinter.word(plan, "base"));
    LoopPrinter.addIfThere(
        facts,
        "branch",
        LoopPrinter.word(plan, "branch").isEmpty()
            ? LoopPrinter.word(request, "branch")
            : LoopPrinter.word(plan, "branch"));
    LoopPrinter.addIfThere(facts, "agent", LoopPrinter.word(request, "agent"));
    LoopPrinter.addIfThere(facts, "reviewer", LoopPrinter.word(request, "reviewer"));
    LoopPrinter.addIfThere(facts, "ci", LoopPrinter.word(request, "ci"));
    if (!plan.fields().isEmpty()) {
      facts.add(
          "forge",
          LoopPrinter.word(plan, "forge")
              + ", "
              + LoopPrinter.word(plan, "project")
              + ", as "
              + LoopPrinter.word(plan, "login"));
      String change = LoopPrinter.word(plan, "change");
      facts.add(
          "change",
          change.isEmpty()
              ? request.is("draft") ? "a new draft" : "a new one"
              : "takes over " + change);
      LoopPrinter.addIfThere(facts, "on loop", LoopPrinter.word(request, "on"));
      LoopPrinter.addIfThere(facts, "checks", LoopPrinter.word(request, "checks"));
      if (request.is("only_ci")) {
        facts.add("review", "none: only the checks count");
      }
      if (request.is("comment")) {
        facts.add("comment", "one, edited in place");
      }
    }
    addLimits(facts, request);
    facts.add(
        "at the end",
        request.is("land") ? "the branch is merged into its base" : "the branch stays");
    facts.print();
  }

  private static void addLimits(KeyValueTable facts, JsonValue.Obj request) {
    LoopPrinter.addIfThere(facts, "time", LoopPrinter.word(request, "time"));
    request.number("tokens").ifPresent(it -> facts.add("tokens", Long.toString(it)));
    request.number("fixes").ifPresent(it -> facts.add("fixes", Long.toString(it)));
    request.number("reviews").ifPresent(it -> facts.add("reviews", Long.toString(it)));
  }

  /** The forges of the settings, and whether they answer. */
  void forges(JsonValue.Obj answer) {
    if (json) {
      CommonOptions.print(shell, answer);
      return;
    }
    List<JsonValue.Obj> forges = answer.objects("forges");
    if (forges.isEmpty()) {
      shell.page().line("No forge in the settings. Loops work without one.");
      return;
    }
    Table table =
        new Table(
            List.of(
                Column.whole("FORGE"),
                Column.whole("KIND"),
                Column.whole("LOGIN"),
                Column.shrinks("STATE")));
    for (JsonValue.Obj forge : forges) {
      String problem = LoopPrinter.word(forge, "problem");
      String login = LoopPrinter.word(forge, "login");
      table.row(
          List.of(
              Cell.of(LoopPrinter.word(forge, "name")),
              Cell.of(LoopPrinter.word(forge, "kind")),
              Cell.of(login.isEmpty() ? "-" : login),
              Cell.of(
                  problem.isEmpty()
                      ? login.isEmpty() ? "not asked: not in a git clone" : "ready"
                      : problem)));
    }
    table.print(shell.page());
  }

  static void change(KeyValueTable facts, JsonValue.Obj change) {
    if (change.fields().isEmpty()) {
      return;
    }
    String number = LoopPrinter.word(change, "number");
    facts.add(
        "change",
        LoopPrinter.word(change, "project")
            + " "
            + (number.isEmpty() ? "(not open yet)" : number)
            + ", into "
            + LoopPrinter.word(change, "base")
            + (change.is("draft") ? ", draft" : ""));
    LoopPrinter.addIfThere(facts, "url", LoopPrinter.word(change, "url"));
    LoopPrinter.addIfThere(facts, "on loop", LoopPrinter.word(change, "on"));
    String next = LoopPrinter.word(change, "next_look");
    if (!next.isEmpty()) {
      facts.add("next look", ClockText.time(Instant.parse(next)));
    }
  }
}
