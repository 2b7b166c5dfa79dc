package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Restarts a run and prints its prompt, its session and the kept history. */
public final class RestartCommand extends Command {
  private static final OptionSpec PROMPT =
      OptionSpec.value("--prompt", "TEXT", "new prompt; - reads standard input");
  private static final OptionSpec FILE =
      OptionSpec.value("--file", "FILE", "read the new prompt from a file").or('f');
  private static final OptionSpec FRESH =
      OptionSpec.flag("--fresh", "start a new session instead of resuming the old one");

  public RestartCommand() {
    super(
        new CommandSpec(
                "restart",
                CommandSpec.Group.RUNS,
                "restart a failed or stopped run",
                """
                The run keeps its history, its attempts and turns, its cost, and its session: the agent \
                remembers its work. A live run cannot be restarted: steer it, or stop it first.
                """,
                List.of(CommonOptions.RUN),
                List.of(PROMPT, FILE, FRESH, CommonOptions.JSON),
                List.of(
                    new Example("midcourse restart fix", "same prompt, same session"),
                    new Example(
                        "midcourse restart fix --prompt 'only the logic, no style'",
                        "new prompt, same session")))
            .withAlternatives(PROMPT, FILE));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    Optional<String> prompt = prompt(arguments, new TextSource(shell));
    HubClient hub = new HubStarter(shell).ensure();
    RunInfo before = new RunInfo(hub.get(CommonOptions.run(arguments.operands().getFirst())));
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY.with("prompt", prompt).with("fresh", arguments.has(FRESH));
    RunInfo after = new RunInfo(hub.post(CommonOptions.run(before.id()) + "/restart", request));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, after.json());
    } else {
      tell(before, after, shell.page());
    }
    return ExitCode.DONE;
  }

  private static Optional<String> prompt(ParsedArguments arguments, TextSource text)
      throws IOException, InterruptedException {
    if (arguments.has(FILE)) {
      return Optional.of(text.fromFile(arguments.value(FILE).orElse("")));
    }
    return arguments.has(PROMPT)
        ? Optional.of(text.of(arguments.value(PROMPT), "prompt", ""))
        : Optional.empty();
  }

  private static void tell(RunInfo before, RunInfo after, TerminalOutput page) {
    page.line(
        after.id() + ": " + before.state() + " " + page.glyphs().arrow() + " " + after.state());
    KeyValueTable facts = new KeyValueTable(page);
    boolean same = before.prompt().equals(after.prompt());
    facts.add("  prompt", same ? "unchanged" : "was: " + TextSanitizer.line(before.prompt()));
    if (!same) {
      facts.add("", "now: " + TextSanitizer.line(after.prompt()));
    }
    facts.add("  session", session(before, after));
    facts.add(
        "  kept",
        count(before.number("attempt"), "attempt")
            + ", "
            + count(before.number("turn"), "turn")
            + ", "
            + count(before.number("steers"), "steer")
            + spent(before));
    facts.print();
    page.line("follow it: midcourse attach " + after.id());
  }

  private static String session(RunInfo before, RunInfo after) {
    if (after.text("session_id").isPresent()) {
      return "resumes " + after.text("session_id").orElse("");
    }
    return before.text("session_id").isPresent() ? "new" : "none before";
  }

  private static String spent(RunInfo run) {
    String money = CostText.of(run.dollars());
    return money.isEmpty() ? "" : ", " + money + " spent";
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
