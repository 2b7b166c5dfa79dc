package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.live.FollowedRun;
import dev.midcourse.cli.live.RunFollower;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Starts a run and attaches to it. At a terminal, each typed line is a steer. Without a terminal,
 * the command only waits for the end of the run.
 */
public final class RunCommand extends Command {
  private static final OptionSpec AGENT =
      OptionSpec.value("--agent", "A", "agent to use; default: the first one installed");
  private static final OptionSpec WORKER =
      OptionSpec.value("--worker", "W", "worker for the run; a worker takes one run at a time");
  private static final OptionSpec ID =
      OptionSpec.value("--id", "RUN", "id of the run; the id of a failed run retries it");
  private static final OptionSpec DIR =
      OptionSpec.value("--dir", "PATH", "working directory; default: the current one");
  private static final OptionSpec FILE =
      OptionSpec.value("--file", "FILE", "read the prompt from a file").or('f');
  private static final OptionSpec DETACH =
      OptionSpec.flag("--detach", "print the run id and return at once").or('d');
  private static final OptionSpec PENDING =
      OptionSpec.choice(
          "--pending",
          "HOW",
          List.of("all", "one", "latest"),
          "how many pending steers to deliver at once");
  private static final OptionSpec ATTEMPTS =
      OptionSpec.value("--attempts", "N", "maximum number of attempts if the agent crashes");

  private static final OptionSpec LINGER =
      OptionSpec.value(
          "--linger", "TIME", "keep the agent after a turn, for the next message: 10m");

  public RunCommand() {
    super(
        new CommandSpec(
            "run",
            CommandSpec.Group.RUNS,
            "start a run and attach to it; what you type is a steer",
            """
            At a terminal it shows what the agent does. A line you type is a steer; each rung of its \
            receipt is printed when it is reached. /help lists other commands. Ctrl-C twice stops; \
            Ctrl-D detaches.

            Without a terminal, progress goes to standard error and the agent's last message to standard \
            output; the exit code tells how the run ended (midcourse help exit-codes).

            With --linger the run does not end with its turn: the agent waits that long for the next \
            message, which opens the next turn at once in the same process. It ends earlier if a queued \
            run needs its place.

            It starts a hub in the background if none is running; such a hub stops after ten idle \
            minutes. If no coding agent is installed, the rehearsal agent is used: it runs the lines of \
            the prompt that start with '$ ' as commands.
            """,
            List.of(new Operand("PROMPT", Operand.Count.ANY, Operand.Kind.TEXT, "PROMPT | -")),
            List.of(
                FILE,
                AGENT,
                WORKER,
                ID,
                DIR,
                DETACH,
                PENDING,
                ATTEMPTS,
                LINGER,
                CommonOptions.JSON),
            List.of(
                new Example("midcourse run fix the flaky test", "start and attach"),
                new Example(
                    "midcourse run --agent codex --dir ../api -f task.md",
                    "read the prompt from a file"),
                new Example(
                    "run=$(midcourse run --detach fix the flaky test)",
                    "use the run id in a script"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    String prompt = prompt(arguments, shell);
    JsonValue.Obj request = request(arguments, prompt, shell);
    HubClient hub = new HubStarter(shell).ensure();
    RunInfo run = new RunInfo(hub.post("/runs", request));
    run.text("note").ifPresent(note -> shell.notes().line(TextSanitizer.line(note)));
    if (arguments.has(DETACH)) {
      if (arguments.has(CommonOptions.JSON)) {
        CommonOptions.print(shell, run.json());
      } else {
        shell.page().line(run.id());
      }
      return ExitCode.DONE;
    }
    TerminalOutput notes = shell.notes();
    notes.line(notes.paint(TextColor.BOLD, run.id()) + " " + notes.paint(TextColor.DIM, with(run)));
    try (FollowedRun following = FollowedRun.fromTheBeginning(hub, run)) {
      return new RunFollower(shell, arguments.has(CommonOptions.JSON)).with(following);
    }
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + "s";
  }

  private static String with(RunInfo run) {
    return "with "
        + run.agent()
        + run.text("dir").map(dir -> " in " + TextSanitizer.exactLine(dir)).orElse("");
  }

  private static String prompt(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    Optional<String> words = arguments.text(0);
    if (arguments.has(FILE)) {
      if (words.isPresent()) {
        throw Failure.usage(
            "run: PROMPT and --file cannot be used together", "use only one of them");
      }
      return new TextSource(shell).fromFile(arguments.value(FILE).orElse(""));
    }
    return new TextSource(shell).of(words, "prompt", "");
  }

  private static JsonValue.Obj request(
      ParsedArguments arguments, String prompt, ShellContext shell) {
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY
            .with("prompt", prompt)
            .with("agent", arguments.value(AGENT))
            .with("worker", arguments.value(WORKER))
            .with("run_id", arguments.value(ID))
            .with(
                "dir",
                shell.folder().resolve(arguments.value(DIR).orElse("")).normalize().toString())
            .with("pending", arguments.value(PENDING));
    Optional<Long> attempts = NumberOptions.ofThings(arguments, ATTEMPTS);
    JsonValue.Obj limited =
        attempts.isPresent() ? request.with("attempts", attempts.get()) : request;
    return limited.with(
        "linger", CommonOptions.duration(arguments, LINGER).map(RunCommand::seconds));
  }
}
