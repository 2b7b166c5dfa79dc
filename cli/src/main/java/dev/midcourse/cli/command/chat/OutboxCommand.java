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
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Lists messages to people that were not sent, and decides what becomes of them. */
public final class OutboxCommand extends Command {
  private static final OptionSpec STATE =
      OptionSpec.value("--state", "STATES", "with list: these states instead of failed,unknown");

  public OutboxCommand() {
    super(
        new CommandSpec(
            "outbox",
            CommandSpec.Group.CHATS,
            "list messages that were not sent, send them again or dismiss them",
            """
            failed: the platform refused the message or did not deliver it, or all tries failed. \
            unknown: it may have been sent; retry may send it twice. dismiss leaves a message as it is.
            """,
            List.of(
                Subcommand.operand(Subcommand.LIST, "dismiss", "retry"),
                new Operand("ID", Operand.Count.OPTIONAL, Operand.Kind.TEXT)),
            List.of(STATE, CommonOptions.JSON),
            List.of(new Example("midcourse outbox retry q9x3d7", "send message q9x3d7 again"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Printed printed = new Printed(arguments, shell);
    Subcommand sub = Subcommand.of(this, arguments);
    if (sub.name().equals(Subcommand.LIST)) {
      sub.taking("");
      String query =
          arguments.value(STATE).map(state -> "?state=" + HttpRequest.encoded(state)).orElse("");
      printed.all(
          hub.get("/outbox" + query).objects("outbox"),
          "No message is left unsent",
          messages -> table(messages, printed));
      return ExitCode.DONE;
    }
    printed.one(
        hub.post(
            "/outbox/" + HttpRequest.encoded(sub.taking("ID").at(0)) + "/" + sub.name(),
            JsonValue.Obj.EMPTY),
        message ->
            printed.line(
                message.text("outbound_id").orElse("") + ": " + message.text("state").orElse("")));
    return ExitCode.DONE;
  }

  private static void table(List<JsonValue.Obj> messages, Printed printed) {
    Table table =
        new Table(
            List.of(
                Column.whole("ID"),
                Column.whole("STATE"),
                Column.shrinks("CHAT"),
                Column.shrinks("TEXT"),
                Column.shrinks("PROBLEM"),
                new Column("TRIES", Kind.NUMBER, 2),
                new Column("CREATED", Kind.WHOLE, 1)));
    for (JsonValue.Obj message : messages) {
      table.row(
          List.of(
              Printed.cell(message, "outbound_id"),
              Printed.cell(message, "state"),
              Cell.of(
                  message.text("channel").orElse("")
                      + ":"
                      + message.text("platform_chat").orElse("")),
              Printed.cell(message, "text"),
              Printed.cell(message, "problem"),
              Printed.cell(message, "tries"),
              Cell.of(printed.ago(message, "created_at"))));
    }
    table.print(printed.shell().page());
  }
}
