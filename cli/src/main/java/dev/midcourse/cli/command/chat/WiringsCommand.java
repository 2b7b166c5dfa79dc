package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
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

/** Lists and changes wirings. */
public final class WiringsCommand extends Command {
  public WiringsCommand() {
    super(
        new CommandSpec(
            "wirings",
            CommandSpec.Group.CHATS,
            "list or change wirings: which worker takes the messages of a chat",
            """
            set changes the fields that the options name; remove deletes a wiring. Both take the id of \
            a wiring. midcourse wire makes one. A change counts from the next message on.
            """,
            List.of(
                Subcommand.operand(Subcommand.LIST, "set", "remove"),
                new Operand("WIRING", Operand.Count.OPTIONAL, Operand.Kind.TEXT)),
            WiringText.OPTIONS,
            List.of(
                new Example(
                    "midcourse wirings set m4k7fp --sender-scope known",
                    "take messages of members, admins and owners only"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Printed printed = new Printed(arguments, shell);
    Subcommand sub = Subcommand.of(this, arguments);
    JsonValue.Obj fields = WiringText.fields(arguments);
    if (sub.name().equals("set") == fields.equals(JsonValue.Obj.EMPTY)) {
      throw Failure.usage(
          sub.name().equals("set")
              ? "wirings set: name at least one option"
              : "wirings " + sub.name() + ": takes no options; they belong to set",
          "see midcourse help wirings");
    }
    switch (sub.name()) {
      case Subcommand.LIST -> {
        sub.taking("");
        printed.all(
            hub.get("/wirings").objects("wirings"),
            "No wirings. Make one: midcourse wire CHAT WORKER",
            wirings -> table(wirings, shell));
      }
      case "set" ->
          printed.one(
              hub.patch(path(sub.taking("WIRING").at(0)), fields),
              wiring ->
                  printed.line(wiring.text("chat").orElse("") + " to " + WiringText.line(wiring)));
      default ->
          printed.one(
              hub.delete(path(sub.taking("WIRING").at(0))),
              wiring ->
                  printed.line(
                      "Removed the wiring of "
                          + wiring.text("chat").orElse("")
                          + " to "
                          + wiring.text("worker").orElse("")));
    }
    return ExitCode.DONE;
  }

  private static String path(String wiring) {
    return "/wirings/" + HttpRequest.encoded(wiring);
  }

  private static void table(List<JsonValue.Obj> wirings, ShellContext shell) {
    Table table =
        new Table(
            List.of(
                Column.whole("WIRING"),
                Column.shrinks("CHAT"),
                Column.whole("WORKER"),
                Column.shrinks("ENGAGES"),
                new Column("SENDERS", Kind.WHOLE, 3),
                new Column("IGNORED", Kind.WHOLE, 4),
                new Column("SESSION", Kind.WHOLE, 2),
                new Column("LIVE RUN", Kind.WHOLE, 1),
                new Column("PRIORITY", Kind.NUMBER, 6),
                new Column("DEBOUNCE", Kind.WHOLE, 5)));
    for (JsonValue.Obj wiring : wirings) {
      table.row(
          List.of(
              Printed.cell(wiring, "wiring_id"),
              Printed.cell(wiring, "chat"),
              Printed.cell(wiring, "worker"),
              Cell.of(WiringText.engages(wiring)),
              Printed.cell(wiring, "sender_scope"),
              Printed.cell(wiring, "ignored_message_policy"),
              Printed.cell(wiring, "session_mode"),
              Printed.cell(wiring, "on_live_run"),
              Printed.cell(wiring, "priority"),
              Printed.cell(wiring, "debounce")));
    }
    table.print(shell.page());
  }
}
