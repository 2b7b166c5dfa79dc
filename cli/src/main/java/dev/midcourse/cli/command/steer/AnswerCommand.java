package dev.midcourse.cli.command.steer;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.OpenQuestions;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.AskAnswer;
import java.util.List;

/**
 * Answers a question or a permission request of an agent. Only an answer does that: a steer is
 * never an approval.
 */
public final class AnswerCommand extends Command {
  private static final OptionSpec ASK =
      OptionSpec.value("--ask", "ASK", "id of the question, if more than one is open");
  private static final OptionSpec WHY =
      OptionSpec.value("--why", "TEXT", "reason for deny, sent to the agent");

  public AnswerCommand() {
    super(
        new CommandSpec(
            "answer",
            CommandSpec.Group.RUNS,
            "answer a permission request or a question of an agent",
            """
            The agent waits until it gets an answer. A permission request takes allow (also yes, y, ok) or \
            deny (also no, n), in upper or lower case; a reason may follow deny. A question takes any \
            text. Anything else is an error, and nothing is sent. A steer never counts as an answer.
            """,
            List.of(
                CommonOptions.LIVE_RUN,
                new Operand("ANSWER", Operand.Count.SEVERAL, Operand.Kind.TEXT, "allow|deny|TEXT")),
            List.of(ASK, WHY, CommonOptions.JSON),
            List.of(
                new Example("midcourse answer - allow", "allow what the only live run asks for"),
                new Example("midcourse answer fix deny not on main", "deny with a reason"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    String run = arguments.operands().getFirst();
    JsonValue.Obj ask =
        arguments
            .value(ASK)
            .map(name -> OpenQuestions.named(hub, run, name))
            .orElseGet(() -> OpenQuestions.only(hub, run));
    AskAnswer answer = AnswerRequest.parse(ask, arguments.text(1).orElse(""), arguments.value(WHY));
    String name = ask.text("ask").orElse("");
    JsonValue.Obj done =
        hub.post(
            CommonOptions.run(run) + "/asks/" + HttpRequest.encoded(name),
            AnswerRequest.of(answer));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, done);
    } else {
      shell.page().line(TextSanitizer.line(name + " answered: " + answer.text()));
    }
    return ExitCode.DONE;
  }
}
