package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Prints or replaces the token of programs. */
final class TokenCommand extends Command {
  private static final String ROTATE = "rotate";

  TokenCommand() {
    super(
        new CommandSpec(
            "token",
            CommandSpec.Group.HUB,
            "print the token for programs that use TCP, or replace it",
            """
            Programs send it as Authorization: Bearer. It gives full access to the hub: keep it secret, \
            and never put it into a URL. The hub makes a new token at each start, unless keep_token = true \
            is set in midcourse.toml. rotate makes a new one now; the old one is refused from then on.

            The file token in the data directory has the current token and can be read by you only. \
            Programs of this machine need no token: they use the socket.
            """,
            List.of(new Operand("WHAT", Operand.Count.OPTIONAL, Operand.Kind.TEXT, ROTATE)),
            List.of(),
            List.of(
                new Example(
                    "curl -H \"Authorization: Bearer $(midcourse token)\""
                        + " http://127.0.0.1:8787/api/v1/runs",
                    "use it"),
                new Example("midcourse token rotate", "replace it"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = HubClient.of(shell);
    if (arguments.operands().isEmpty()) {
      hub.get("/health"); // without a hub there is no current token
      shell.page().line(hub.token().orElseThrow(() -> unreadable(hub)));
      return ExitCode.DONE;
    }
    if (!arguments.operands().getFirst().equals(ROTATE)) {
      throw Failure.usage("token: expected rotate or nothing", "see midcourse help token");
    }
    JsonValue.Obj answer = hub.post("/token/rotate", JsonValue.Obj.EMPTY);
    shell.page().line("New token in " + TextSanitizer.line(answer.text("file").orElse("")));
    shell.page().line("Programs with the old token are refused. Print it: midcourse token");
    return ExitCode.DONE;
  }

  private static Failure unreadable(HubClient hub) {
    return Failure.of(
        ExitCode.FAILED,
        "cannot read the token in " + hub.data(),
        "make a new one: midcourse token rotate");
  }
}
