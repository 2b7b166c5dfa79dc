package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.KeyValueTable;
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
import java.util.stream.Collectors;

/** Lists and changes the chats. */
public final class ChatsCommand extends Command {
  private static final int SHOWN = 20;

  public ChatsCommand() {
    super(
        new CommandSpec(
            "chats",
            CommandSpec.Group.CHATS,
            "list or change the chats that the hub knows",
            """
            CHAT is an id, a name or CHANNEL:ID. A chat is known once somebody has written to the bot \
            there.

              show CHAT            show its wirings and newest messages
              policy CHAT POLICY   what happens to strangers: strict, request_approval, public
              name CHAT NAME       give it a name of your own
              remove CHAT          delete it with its wirings and conversations; messages stay

            strict drops the messages of people who may not talk there, request_approval asks an admin, \
            public lets everybody talk.
            """,
            List.of(
                Subcommand.operand(Subcommand.LIST, "show", "policy", "name", "remove"),
                new Operand("CHAT", Operand.Count.OPTIONAL, Operand.Kind.CHAT),
                new Operand("VALUE", Operand.Count.OPTIONAL, Operand.Kind.TEXT)),
            List.of(CommonOptions.JSON),
            List.of(
                new Example(
                    "midcourse chats policy family strict", "drop messages of strangers"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Printed printed = new Printed(arguments, shell);
    Subcommand sub = Subcommand.of(this, arguments);
    switch (sub.name()) {
      case Subcommand.LIST -> {
        sub.taking("");
        printed.all(
            hub.get("/chats").objects("chats"),
            "No chats yet. A chat is known once somebody has written to the bot there",
            chats -> table(chats, shell));
      }
      case "show" ->
          printed.one(
              hub.get(path(sub.taking("CHAT").at(0)) + "/messages?limit=" + SHOWN),
              log -> show(log, printed));
      case "policy" ->
          printed.one(
              hub.patch(
                  path(sub.taking("CHAT POLICY").at(0)),
                  JsonValue.Obj.EMPTY.with("unknown_sender_policy", sub.at(1))),
              chat ->
                  printed.line(title(chat) + ": " + chat.text("unknown_sender_policy").orElse("")));
      case "name" ->
          printed.one(
              hub.patch(
                  path(sub.taking("CHAT NAME").at(0)), JsonValue.Obj.EMPTY.with("name", sub.at(1))),
              chat -> printed.line(chat.text("chat_id").orElse("") + ": " + title(chat)));
      default ->
          printed.one(
              hub.delete(path(sub.taking("CHAT").at(0))),
              chat -> printed.line("Removed " + title(chat)));
    }
    return ExitCode.DONE;
  }

  private static String path(String chat) {
    return "/chats/" + HttpRequest.encoded(chat);
  }

  private static String title(JsonValue.Obj chat) {
    return chat.text("title").orElse("");
  }

  private static String workers(JsonValue.Obj chat) {
    String workers =
        chat.objects("wirings").stream()
            .map(wiring -> wiring.text("worker").orElse(""))
            .collect(Collectors.joining(", "));
    return workers.isEmpty() ? "not wired" : workers;
  }

  private static void table(List<JsonValue.Obj> chats, ShellContext shell) {
    Table table =
        new Table(
            List.of(
                Column.whole("CHAT"),
                Column.shrinks("NAME"),
                new Column("CHANNEL", Kind.WHOLE, 2),
                new Column("KIND", Kind.WHOLE, 3),
                Column.shrinks("WORKERS"),
                new Column("UNKNOWN SENDERS", Kind.WHOLE, 1)));
    for (JsonValue.Obj chat : chats) {
      table.row(
          List.of(
              Printed.cell(chat, "chat_id"),
              Cell.of(title(chat)),
              Printed.cell(chat, "channel"),
              Printed.cell(chat, "kind"),
              Cell.of(workers(chat)),
              Printed.cell(chat, "unknown_sender_policy")));
    }
    table.print(shell.page());
  }

  private static void show(JsonValue.Obj log, Printed printed) {
    JsonValue.Obj chat = log.object("chat");
    KeyValueTable facts = new KeyValueTable(printed.shell().page());
    facts.addWhole("chat", chat.text("chat_id").orElse(""));
    facts.add("name", title(chat));
    facts.addWhole(
        "channel", chat.text("channel").orElse("") + ":" + chat.text("platform_id").orElse(""));
    facts.add("kind", chat.text("kind").orElse("") + (chat.is("threads") ? " with threads" : ""));
    facts.add("unknown senders", chat.text("unknown_sender_policy").orElse(""));
    for (JsonValue.Obj wiring : chat.objects("wirings")) {
      facts.add("wiring", WiringText.line(wiring));
    }
    facts.print();
    List<JsonValue.Obj> received = log.objects("received");
    if (received.isEmpty()) {
      printed.line("");
      printed.line("No messages");
      return;
    }
    printed.line("");
    Table table =
        new Table(
            List.of(
                new Column("MESSAGE", Kind.NUMBER, 0),
                new Column("SENT", Kind.WHOLE, 2),
                new Column("SENDER", Kind.WHOLE, 1),
                Column.shrinks("TEXT"),
                Column.shrinks("DECISION")));
    for (JsonValue.Obj message : received.reversed()) {
      table.row(
          List.of(
              Printed.cell(message, "number"),
              Cell.of(printed.ago(message, "sent_at")),
              Printed.cell(message, "sender"),
              Printed.cell(message, "text"),
              Cell.of(
                  message.objects("actions").stream()
                      .map(action -> action.text("words").orElse(""))
                      .collect(Collectors.joining("; ")))));
    }
    table.print(printed.shell().page());
  }
}
