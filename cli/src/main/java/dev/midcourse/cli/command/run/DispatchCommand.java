package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import java.io.IOException;
import java.util.List;

/** Gives a worker a task under the dispatch contract. */
public final class DispatchCommand extends Command {
  private static final OptionSpec WORKER =
      OptionSpec.value(
          "--worker", "NAME", "worker for the run; default: a free one, also of a pattern");
  public static final OptionSpec AS = OptionSpec.value("--as", "GROUP", "act as this group");

  public DispatchCommand() {
    super(
        new CommandSpec(
            "dispatch",
            CommandSpec.Group.RUNS,
            "start a run for a worker under the dispatch contract",
            """
            FILE holds one JSON object; - reads standard input. Print its schema: midcourse contract \
            schema. Validate it: midcourse contract check FILE. The run gets its own git worktree and \
            branch. If its completion is valid, it ends in review_requested and waits for midcourse \
            review.
            """,
            List.of(new Operand("FILE", Operand.Count.ONE, Operand.Kind.TEXT)),
            List.of(WORKER, AS, CommonOptions.JSON),
            List.of(
                new Example(
                    "midcourse dispatch task.json --worker jarvis-worker-1",
                    "dispatch to a worker as main"),
                new Example(
                    "midcourse dispatch - --as andy-developer < task.json",
                    "dispatch as a lead, from standard input"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    String json = json(arguments.operands().getFirst(), shell);
    HubClient hub = new HubStarter(shell).ensure();
    StringBuilder path = new StringBuilder("/dispatch");
    arguments.value(WORKER).ifPresent(name -> query(path, "worker", name));
    arguments.value(AS).ifPresent(name -> query(path, "as", name));
    RunInfo run = new RunInfo(hub.postText(path.toString(), json));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, run.json());
    } else {
      shell.page().line(run.id());
    }
    return ExitCode.DONE;
  }

  static String json(String file, ShellContext shell) throws IOException {
    TextSource text = new TextSource(shell);
    return file.equals("-") ? text.fromInput() : text.fromFile(file);
  }

  public static void query(StringBuilder path, String name, String value) {
    path.append(path.indexOf("?") < 0 ? '?' : '&')
        .append(name)
        .append('=')
        .append(HttpRequest.encoded(value));
  }
}
