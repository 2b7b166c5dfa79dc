package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.Request;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import java.io.IOException;
import java.util.List;

/** Gives a worker a task under the dispatch contract. */
final class DispatchCommand implements Command {
  private static final Option WORKER =
      Option.value("--worker", "NAME", "whose work it is; else a declared worker that is free");
  static final Option AS = Option.value("--as", "GROUP", "speak as this group");

  static final Spec SPEC =
      new Spec(
          "dispatch",
          Spec.Group.RUNS,
          "FILE [--worker NAME] [--as GROUP] [--json]",
          "give a worker a task under the dispatch contract",
          """
          FILE holds one JSON object and nothing else; - reads it from standard input. midcourse \
          contract schema says what is in it, and midcourse contract check FILE what is wrong with \
          one. The run gets a git worktree of its own on its branch, ends in review_requested when \
          its completion holds, and waits for midcourse review.
          """,
          List.of(new Operand("FILE", Operand.Count.ONE, Operand.Kind.TEXT)),
          List.of(WORKER, AS, Common.JSON),
          List.of(
              new Example("midcourse dispatch task.json --worker jarvis-worker-1", "as main"),
              new Example("midcourse dispatch - --as andy-developer < task.json", "as a lead")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws IOException, InterruptedException {
    String json = json(arguments.operands().getFirst(), shell);
    Hub hub = new HubStarter(shell).ensure();
    StringBuilder path = new StringBuilder("/dispatch");
    arguments.value(WORKER).ifPresent(name -> query(path, "worker", name));
    arguments.value(AS).ifPresent(name -> query(path, "as", name));
    RunInfo run = new RunInfo(hub.postText(path.toString(), json));
    if (arguments.has(Common.JSON)) {
      Common.print(shell, run.json());
    } else {
      shell.page().line(run.id());
    }
    return ExitCode.DONE;
  }

  static String json(String file, Shell shell) throws IOException {
    Text text = new Text(shell);
    return file.equals("-") ? text.fromInput() : text.fromFile(file);
  }

  static void query(StringBuilder path, String name, String value) {
    path.append(path.indexOf("?") < 0 ? '?' : '&')
        .append(name)
        .append('=')
        .append(Request.encoded(value));
  }
}
