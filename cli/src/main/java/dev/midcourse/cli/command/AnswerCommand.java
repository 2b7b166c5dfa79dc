package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Asks;
import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.Request;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Answers what an agent asks. Nothing else does: a steer is never an approval. */
final class AnswerCommand implements Command {
  private static final Option ASK =
      Option.value("--ask", "ASK", "which question, if the run asks more than one");
  private static final Option WHY = Option.value("--why", "TEXT", "why not, for the agent");

  static final Spec SPEC =
      new Spec(
          "answer",
          Spec.Group.RUNS,
          "RUN allow|deny|TEXT [--ask ASK] [--why TEXT]",
          "answer what an agent asks",
          """
          An agent that asks for permission waits until it is answered here. A steer never counts as \
          an answer.
          """,
          List.of(Common.LIVE_RUN, new Operand("ANSWER", Operand.Count.SEVERAL, Operand.Kind.TEXT)),
          List.of(ASK, WHY, Common.JSON),
          List.of(
              new Example("midcourse answer - allow", "let the only live run go on"),
              new Example("midcourse answer fix deny --why 'not on main'", "and say why not")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Hub hub = Hub.at(shell.data());
    String run = arguments.operands().getFirst();
    String answer = arguments.text(1).orElse("");
    JsonValue.Obj request =
        JsonValue.Obj.EMPTY.with("answer", answer).with("why", arguments.value(WHY));
    String ask = arguments.value(ASK).orElseGet(() -> Asks.only(hub, run));
    JsonValue.Obj done = hub.post(Common.run(run) + "/asks/" + Request.encoded(ask), request);
    if (arguments.has(Common.JSON)) {
      Common.print(shell, done);
    } else {
      shell.page().line(Clean.line(ask + ": " + answer));
    }
    return ExitCode.DONE;
  }
}
