package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.OpenQuestions;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.format.NeedText;
import dev.midcourse.cli.format.RunStatusText;
import dev.midcourse.cli.format.StateColor;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Shows the details of one run. */
public final class ShowCommand extends Command {
  public ShowCommand() {
    super(
        new CommandSpec(
            "show",
            CommandSpec.Group.RUNS,
            "show a run: state, activity, open questions, result",
            "",
            List.of(CommonOptions.RUN),
            List.of(CommonOptions.JSON),
            List.of(new Example("midcourse show -", "show the only live run"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    RunInfo run = new RunInfo(hub.get(CommonOptions.run(arguments.operands().getFirst())));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, run.json());
      return ExitCode.DONE;
    }
    KeyValueTable facts = new KeyValueTable(shell.page());
    Instant now = shell.clock().instant();
    facts.add("run", run.id());
    facts.add("state", StateColor.of(run.state()), state(run, now));
    run.text("needs")
        .ifPresent(needs -> facts.add("attention", TextColor.YELLOW, NeedText.of(needs)));
    facts.add("agent", run.agent());
    facts.add("worker", run.worker());
    run.text("dir").ifPresent(dir -> facts.add("dir", dir));
    activity(run, now).ifPresent(activity -> facts.add("activity", activity));
    run.text("linger").ifPresent(linger -> facts.add("linger", span(linger)));
    facts.add("turn", run.number("turn") + ", attempt " + run.number("attempt"));
    facts.add("steers", Long.toString(run.number("steers")));
    facts.add("usage", spent(run));
    run.text("session_id").ifPresent(session -> facts.add("session", session));
    run.text("parent_run_id").ifPresent(parent -> facts.add("parent", parent));
    run.at("created_at").ifPresent(at -> facts.add("created", DurationText.ago(at, now)));
    facts.print();
    texts(run, shell.page());
    if (run.live()) {
      asks(hub, run, shell.page());
    }
    return ExitCode.DONE;
  }

  private static String state(RunInfo run, Instant now) {
    if (run.live()) {
      String stopping = run.json().is("stop_asked") ? ", stop requested" : "";
      return run.at("started_at")
          .filter(at -> run.state().equals("running"))
          .map(
              at -> run.state() + " for " + DurationText.span(Duration.between(at, now)) + stopping)
          .orElse(run.state() + stopping);
    }
    return run.at("ended_at")
        .map(at -> run.state() + ", " + DurationText.ago(at, now))
        .orElse(run.state());
  }

  private static Optional<String> activity(RunInfo run, Instant now) {
    Optional<String> idle = run.at("idle_until").map(RunStatusText::idle);
    return idle.or(() -> run.doing().filter(_ -> run.live()).map(doing -> doing + agoOf(run, now)));
  }

  /** An ISO-8601 duration of the hub as people write it. */
  private static String span(String iso) {
    return DurationText.span(Duration.parse(iso));
  }

  private static String agoOf(RunInfo run, Instant now) {
    return run.progressAt().map(at -> " (" + DurationText.ago(at, now) + ")").orElse("");
  }

  static String spent(RunInfo run) {
    String money = CostText.of(run.dollars());
    return CostText.count(run.tokens("input"))
        + " tokens in, "
        + CostText.count(run.tokens("output"))
        + " out"
        + (money.isEmpty() ? "" : ", " + money);
  }

  private static void texts(RunInfo run, TerminalOutput page) {
    page.line("");
    page.line(page.paint(TextColor.DIM, "prompt"));
    indented(page, run.prompt());
    run.text("result")
        .ifPresent(result -> {
          page.line(page.paint(TextColor.DIM, "result"));
          indented(page, result);
        });
  }

  private static void asks(HubClient hub, RunInfo run, TerminalOutput page) {
    for (JsonValue.Obj ask : OpenQuestions.open(hub, run.id())) {
      String kind = NeedText.ofAsk(ask.text("kind").orElse(""));
      String name = TextSanitizer.line(ask.text("ask").orElse(""));
      page.line(page.paint(TextColor.YELLOW, kind + " " + name));
      page.line("  " + TextSanitizer.exactLine(ask.text("question").orElse("")));
      TextSanitizer.exactLines(ask.text("detail").orElse(""))
          .lines()
          .forEach(line -> page.line("  " + line));
      page.line("  allow: midcourse answer " + run.id() + " allow --ask " + name);
      page.line("  deny:  midcourse answer " + run.id() + " deny --ask " + name);
    }
  }

  private static void indented(TerminalOutput page, String text) {
    TextSanitizer.lines(text).lines().forEach(line -> page.line("  " + line));
  }
}
