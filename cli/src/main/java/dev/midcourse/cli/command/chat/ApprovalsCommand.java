package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Lists and decides pending approvals. */
public final class ApprovalsCommand extends Command {
  public ApprovalsCommand() {
    super(
        new CommandSpec(
            "approvals",
            CommandSpec.Group.CHATS,
            "list senders and chats that wait to be let in, or decide",
            """
            allow lets a sender talk to the workers of the chat; deny closes the request, and the next \
            message asks again. wire connects a new chat with a worker; create makes a worker of this \
            name for it. The message that asked is then handled as if it came now.
            """,
            List.of(
                Subcommand.operand(Subcommand.LIST, "allow", "deny", "wire", "create"),
                new Operand("ID", Operand.Count.OPTIONAL, Operand.Kind.TEXT),
                new Operand("WORKER", Operand.Count.OPTIONAL, Operand.Kind.WORKER)),
            List.of(CommonOptions.JSON),
            List.of(
                new Example("midcourse approvals allow p4", "let the sender of request p4 in"),
                new Example("midcourse approvals wire p5 andy", "wire the chat of p5 to andy"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Printed printed = new Printed(arguments, shell);
    Subcommand sub = Subcommand.of(this, arguments);
    if (sub.name().equals(Subcommand.LIST)) {
      sub.taking("");
      printed.all(
          hub.get("/approvals").objects("approvals"),
          "Nobody waits to be let in",
          approvals -> table(approvals, printed));
      return ExitCode.DONE;
    }
    boolean names = sub.name().equals("wire") || sub.name().equals("create");
    sub.taking(names ? "ID WORKER" : "ID");
    JsonValue.Obj decision = JsonValue.Obj.EMPTY.with("decision", sub.name());
    JsonValue.Obj decided =
        hub.post(
            "/approvals/" + HttpRequest.encoded(sub.at(0)),
            names ? decision.with("worker", sub.at(1)) : decision);
    printed.one(decided, it -> printed.line(it.text("words").orElse("")));
    return decided.is("counted") ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private static void table(List<JsonValue.Obj> approvals, Printed printed) {
    Table table =
        new Table(
            List.of(
                Column.whole("ID"),
                Column.whole("WAITS FOR"),
                Column.shrinks("SENDER"),
                Column.shrinks("CHAT"),
                Column.shrinks("MESSAGE"),
                new Column("ASKED", Kind.WHOLE, 2),
                new Column("EXPIRES", Kind.WHOLE, 1)));
    for (JsonValue.Obj approval : approvals) {
      boolean sender = approval.text("kind").orElse("").equals("unknown_sender");
      table.row(
          List.of(
              Printed.cell(approval, "approval_id"),
              Cell.of(sender ? "allow" : "a worker"),
              Printed.cell(approval, "sender_name"),
              Printed.cell(approval, "chat"),
              Printed.cell(approval, "text"),
              Cell.of(printed.ago(approval, "created_at")),
              Cell.of(printed.until(approval, "expires_at"))));
    }
    table.print(printed.shell().page());
  }
}
