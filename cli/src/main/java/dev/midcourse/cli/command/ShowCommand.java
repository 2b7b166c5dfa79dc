package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Asks;
import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Ink;
import dev.midcourse.cli.screen.Page;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.story.Money;
import dev.midcourse.cli.story.StateInk;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Shows all there is to know about one run. */
final class ShowCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "show",
          Spec.Group.RUNS,
          "RUN [--json]",
          "show one run: its state, what it does, what it asks, its result",
          "",
          List.of(Common.RUN),
          List.of(Common.JSON),
          List.of(new Example("midcourse show -", "the only live run")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Hub hub = Hub.at(shell.data());
    RunInfo run = new RunInfo(hub.get(Common.run(arguments.operands().getFirst())));
    if (arguments.has(Common.JSON)) {
      Common.print(shell, run.json());
      return ExitCode.DONE;
    }
    Facts facts = new Facts(shell.page());
    Instant now = shell.clock().instant();
    facts.add("run", run.id());
    facts.add("state", StateInk.of(run.state()), state(run, now));
    run.text("needs").ifPresent(needs -> facts.add("needs", Ink.YELLOW, needs));
    facts.add("agent", run.agent());
    facts.add("worker", run.worker());
    run.text("dir").ifPresent(dir -> facts.add("dir", dir));
    run.doing()
        .filter(doing -> run.live())
        .ifPresent(doing -> facts.add("doing", doing + agoOf(run, now)));
    facts.add("turn", run.number("turn") + ", attempt " + run.number("attempt"));
    facts.add("steers", Long.toString(run.number("steers")));
    facts.add("spent", spent(run));
    run.text("session_id").ifPresent(session -> facts.add("session", session));
    run.text("parent_run_id").ifPresent(parent -> facts.add("follows", parent));
    run.at("created_at").ifPresent(at -> facts.add("created", Ago.ago(at, now)));
    facts.print();
    texts(run, shell.page());
    if (run.live()) {
      asks(hub, run, shell.page());
    }
    return ExitCode.DONE;
  }

  private static String state(RunInfo run, Instant now) {
    if (run.live()) {
      String stopping = run.json().is("stop_asked") ? ", stop asked for" : "";
      return run.at("started_at")
          .filter(at -> run.state().equals("running"))
          .map(at -> run.state() + " for " + Ago.span(Duration.between(at, now)) + stopping)
          .orElse(run.state() + stopping);
    }
    return run.at("ended_at").map(at -> run.state() + ", " + Ago.ago(at, now)).orElse(run.state());
  }

  private static String agoOf(RunInfo run, Instant now) {
    return run.progressAt().map(at -> " (" + Ago.ago(at, now) + ")").orElse("");
  }

  static String spent(RunInfo run) {
    String money = Money.of(run.dollars());
    return Money.count(run.tokens("input"))
        + " tokens in, "
        + Money.count(run.tokens("output"))
        + " out"
        + (money.isEmpty() ? "" : ", " + money);
  }

  private static void texts(RunInfo run, Page page) {
    page.line("");
    page.line(page.paint(Ink.DIM, "prompt"));
    indented(page, run.prompt());
    run.text("result")
        .ifPresent(result -> {
          page.line(page.paint(Ink.DIM, "result"));
          indented(page, result);
        });
  }

  private static void asks(Hub hub, RunInfo run, Page page) {
    for (JsonValue.Obj ask : Asks.open(hub, run.id())) {
      String kind = Clean.line(ask.text("kind").orElse("") + " " + ask.text("ask").orElse(""));
      page.line(page.paint(Ink.YELLOW, "asks " + kind));
      indented(page, ask.text("question").orElse(""));
      page.line("  answer it with: midcourse answer " + run.id() + " allow|deny|TEXT");
    }
  }

  private static void indented(Page page, String text) {
    Clean.lines(text).lines().forEach(line -> page.line("  " + line));
  }
}
