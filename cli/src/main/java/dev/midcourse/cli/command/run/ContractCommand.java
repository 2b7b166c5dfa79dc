package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.util.List;

/** Prints the dispatch contract, and checks a dispatch against it. */
public final class ContractCommand extends Command {
  public ContractCommand() {
    super(
        new CommandSpec(
            "contract",
            CommandSpec.Group.RUNS,
            "print the schema of a dispatch, or validate a dispatch",
            """
            schema prints the JSON Schema of a dispatch. check validates FILE (- is standard input) and \
            lists every error with its field and rule; it starts nothing.
            """,
            List.of(
                new Operand("WHAT", Operand.Count.ONE, Operand.Kind.TEXT, "schema|check"),
                new Operand("FILE", Operand.Count.OPTIONAL, Operand.Kind.TEXT)),
            List.of(CommonOptions.JSON),
            List.of(
                new Example(
                    "midcourse contract schema > dispatch.schema.json",
                    "save the schema, for example for an editor"),
                new Example(
                    "midcourse contract check task.json", "validate before midcourse dispatch"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    List<String> operands = arguments.operands();
    String what = operands.getFirst();
    if (what.equals("schema") && operands.size() == 1) {
      new HubStarter(shell).ensure().copy("/contract/schema", shell.out());
      return ExitCode.DONE;
    }
    if (!what.equals("check") || operands.size() != 2) {
      throw Failure.usage(
          "contract: expected schema, or check FILE", "see midcourse help contract");
    }
    return check(DispatchCommand.json(operands.get(1), shell), arguments, shell);
  }

  private static ExitCode check(String json, ParsedArguments arguments, ShellContext shell)
      throws InterruptedException {
    HubClient hub = new HubStarter(shell).ensure();
    JsonValue.Obj found = hub.postText("/contract/check", json);
    List<JsonValue.Obj> problems = found.objects("problems");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, found);
    } else if (problems.isEmpty()) {
      shell.page().line("Valid");
    } else {
      problems.forEach(problem -> shell.page().line(TextSanitizer.line(line(problem))));
    }
    return problems.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  /** Returns the line for a problem. The rule is added only if the message does not contain it. */
  private static String line(JsonValue.Obj problem) {
    String message = problem.text("message").orElse("");
    String rule = problem.text("rule").orElse("");
    String field = problem.text("field").orElse("");
    String line = message.startsWith(field) ? message : field + ": " + message;
    boolean said = message.contains(rule) || rule.equals("required");
    return said ? line : line + " (" + rule + ")";
  }
}
