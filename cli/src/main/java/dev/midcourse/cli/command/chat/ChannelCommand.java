package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.screen.Table.Kind;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.cli.screen.TextColor;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.Suggestion;
import dev.midcourse.core.json.JsonValue;
import java.util.List;

/** Lists, adds, tests and removes channels to chat platforms. */
public final class ChannelCommand extends Command {
  private static final OptionSpec NAME =
      OptionSpec.value("--name", "NAME", "with add: the name of the channel; default: its kind");
  private static final OptionSpec ANYWAY =
      OptionSpec.flag("--anyway", "with add: add the channel although its check fails");

  public ChannelCommand() {
    super(
        new CommandSpec(
            "channel",
            CommandSpec.Group.CHATS,
            "connect chat platforms, such as Telegram, Slack or mail",
            """
            A channel connects Midcourse with one account, such as a bot, of a chat platform.

              list                       the channels and their connections
              kinds                      the kinds, and the settings of each
              add KIND [KEY=VALUE]...    check a channel with its platform and add it
              test NAME                  check a channel with its platform
              remove NAME                end a channel and delete its settings and secrets

            At a terminal, add asks for what is missing. It asks for a secret without showing it, and \
            stores it in a file that only you can read. Without a terminal, name a file or a command: \
            token_file=PATH or token_command=COMMAND. A channel counts at once; no restart is needed.
            """,
            List.of(
                Subcommand.operand(Subcommand.LIST, "kinds", "add", "test", "remove"),
                new Operand("NAME", Operand.Count.OPTIONAL, Operand.Kind.TEXT),
                new Operand("KEY=VALUE", Operand.Count.ANY, Operand.Kind.TEXT)),
            List.of(NAME, ANYWAY, CommonOptions.JSON),
            List.of(
                new Example("midcourse channel add telegram", "add a Telegram bot"),
                new Example(
                    "midcourse channel add telegram token_command='pass telegram'",
                    "take the token from a password manager"))));
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
            hub.get("/channels").objects("channels"),
            "No channels. Add one: midcourse channel add KIND",
            channels -> table(channels, printed));
      }
      case "kinds" -> {
        sub.taking("");
        printed.all(
            hub.get("/channel-kinds").objects("kinds"),
            "No kinds of channels",
            kinds -> kinds.forEach(kind -> kind(kind, printed)));
      }
      case "add" -> {
        return add(hub, sub, arguments, printed);
      }
      case "test" -> {
        JsonValue.Obj checked =
            hub.post(path(sub.taking("NAME").at(0)) + "/test", JsonValue.Obj.EMPTY);
        printed.one(checked, it -> checks(it, shell.page()));
        return checked.is("works") ? ExitCode.DONE : ExitCode.FAILED;
      }
      default ->
          printed.one(
              hub.delete(path(sub.taking("NAME").at(0))),
              channel -> printed.line("Removed " + channel.text("channel").orElse("")));
    }
    return ExitCode.DONE;
  }

  private ExitCode add(HubClient hub, Subcommand sub, ParsedArguments arguments, Printed printed) {
    if (sub.operands().isEmpty()) {
      throw Failure.usage("channel add: expected a kind", "see midcourse channel kinds");
    }
    ShellContext shell = printed.shell();
    JsonValue.Obj kind = kind(hub, sub.at(0));
    ChannelForm form = new ChannelForm(shell, kind);
    JsonValue.Obj request =
        form.fill(sub.operands().subList(1, sub.operands().size()))
            .with("name", arguments.value(NAME))
            .with("even_if_it_fails", new JsonValue.Bool(arguments.has(ANYWAY)));
    JsonValue.Obj checked = hub.post("/channels", request);
    boolean added = checked.is("added");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, checked);
    } else {
      checks(checked, shell.page());
      if (added) {
        new ChannelPairing(hub, printed).explain(checked.text("channel").orElse(""));
      } else {
        shell.notes().line("Nothing was added. Correct this and try again, or use --anyway.");
      }
    }
    return added ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static JsonValue.Obj kind(HubClient hub, String name) {
    List<JsonValue.Obj> kinds = hub.get("/channel-kinds").objects("kinds");
    List<String> names = kinds.stream().map(kind -> kind.text("kind").orElse("")).toList();
    return kinds.stream()
        .filter(kind -> kind.text("kind").orElse("").equals(name))
        .findFirst()
        .orElseThrow(() ->
            Failure.usage(
                "channel add: there is no kind '"
                    + name
                    + "'; use one of: "
                    + String.join(", ", names),
                Suggestion.to(name, names)
                    .map(near -> "did you mean: midcourse channel add " + near)
                    .orElse("see midcourse channel kinds")));
  }

  private static String path(String channel) {
    return "/channels/" + HttpRequest.encoded(channel);
  }

  private static void checks(JsonValue.Obj checked, TerminalOutput page) {
    for (JsonValue.Obj check : checked.objects("checks")) {
      String sign =
          switch (check.text("result").orElse("")) {
            case "ok" -> page.paint(TextColor.GREEN, page.glyphs().yes());
            case "warning" -> page.paint(TextColor.YELLOW, page.glyphs().attention());
            default -> page.paint(TextColor.RED, page.glyphs().no());
          };
      page.line(sign + " " + TextSanitizer.line(check.text("text").orElse("")));
      check.text("remedy").ifPresent(remedy -> page.line("  " + TextSanitizer.line(remedy)));
    }
  }

  private static void kind(JsonValue.Obj kind, Printed printed) {
    TerminalOutput page = printed.shell().page();
    page.line(
        page.paint(TextColor.BOLD, kind.text("kind").orElse(""))
            + "  "
            + TextSanitizer.line(kind.text("title").orElse("")));
    List<JsonValue.Obj> settings = kind.objects("settings");
    int widest =
        settings.stream().mapToInt(s -> DisplayWidth.of(s.text("key").orElse(""))).max().orElse(0);
    for (JsonValue.Obj setting : settings) {
      String required = setting.is("required") ? "" : " (optional)";
      page.line(
          "  "
              + DisplayWidth.padded(setting.text("key").orElse(""), widest)
              + "  "
              + TextSanitizer.line(setting.text("description").orElse(""))
              + required);
    }
  }

  private static void table(List<JsonValue.Obj> channels, Printed printed) {
    Table table =
        new Table(
            List.of(
                Column.whole("CHANNEL"),
                new Column("KIND", Kind.WHOLE, 1),
                Column.whole("STATE"),
                new Column("ACCOUNT", Kind.WHOLE, 2),
                Column.shrinks("REASON")));
    for (JsonValue.Obj channel : channels) {
      table.row(
          List.of(
              Printed.cell(channel, "channel"),
              Printed.cell(channel, "kind"),
              Printed.cell(channel, "state"),
              Printed.cell(channel, "account"),
              Printed.cell(channel, "reason")));
    }
    table.print(printed.shell().page());
    for (JsonValue.Obj channel : channels) {
      channel
          .text("remedy")
          .ifPresent(remedy ->
              printed
                  .shell()
                  .notes()
                  .line(channel.text("channel").orElse("") + ": " + TextSanitizer.line(remedy)));
    }
  }
}
