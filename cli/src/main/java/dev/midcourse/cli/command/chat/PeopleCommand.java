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
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.stream.Collectors;

/** Lists and changes people, their accounts and their roles. */
public final class PeopleCommand extends Command {
  private static final OptionSpec WORKER =
      OptionSpec.value("--worker", "WORKER", "with grant and revoke: for this worker only");
  private static final OptionSpec ZONE =
      OptionSpec.value("--zone", "ZONE", "with add: the time zone, such as Europe/Berlin");
  private static final OptionSpec NAME =
      OptionSpec.value("--name", "NAME", "with pair: the name of the owner");

  public PeopleCommand() {
    super(
        new CommandSpec(
            "people",
            CommandSpec.Group.CHATS,
            "list or change the people who talk to workers",
            """
            PERSON is an id, a name or an account such as telegram:42.

              add NAME                 add a person
              show PERSON              show accounts and roles
              rename PERSON NAME       change the name
              zone PERSON ZONE         set the time zone; - for that of the hub
              link PERSON              print a code that the person sends as /link CODE
              link PERSON IDENTITY     link an account by hand
              unlink PERSON IDENTITY   take an account away
              grant PERSON ROLE        owner, admin or member; revoke takes it back
              remove PERSON            delete a person with accounts and roles
              pair                     print a code that makes its sender an owner

            A code can be used once. It expires after 10 minutes or five wrong codes. An owner has all \
            rights; an admin decides who talks to the workers, to all of them or to one; a member talks \
            to one worker.
            """,
            List.of(
                Subcommand.operand(
                    Subcommand.LIST,
                    "add",
                    "show",
                    "rename",
                    "zone",
                    "link",
                    "unlink",
                    "grant",
                    "revoke",
                    "remove",
                    "pair"),
                new Operand("PERSON", Operand.Count.OPTIONAL, Operand.Kind.PERSON),
                new Operand("VALUE", Operand.Count.OPTIONAL, Operand.Kind.TEXT)),
            List.of(WORKER, ZONE, NAME, CommonOptions.JSON),
            List.of(
                new Example("midcourse people pair", "let the first owner in"),
                new Example(
                    "midcourse people grant ada member --worker andy", "let Ada talk to andy"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = new HubStarter(shell).client();
    Printed printed = new Printed(arguments, shell);
    Subcommand sub = Subcommand.of(this, arguments);
    JsonValue.Obj none = JsonValue.Obj.EMPTY;
    switch (sub.name()) {
      case Subcommand.LIST -> {
        sub.taking("");
        printed.all(
            hub.get("/people").objects("people"),
            "No people yet. Let the first owner in: midcourse people pair",
            people -> table(people, shell));
      }
      case "add" ->
          printed.one(
              hub.post(
                  "/people",
                  none.with("name", sub.taking("NAME").at(0)).with("zone", arguments.value(ZONE))),
              person -> {
                printed.line("Added " + id(person));
                printed.line("Link an account: midcourse people link " + id(person));
              });
      case "show" ->
          printed.one(hub.get(path(sub.taking("PERSON").at(0))), person -> show(person, printed));
      case "rename" ->
          printed.one(
              hub.patch(path(sub.taking("PERSON NAME").at(0)), none.with("name", sub.at(1))),
              person -> printed.line("Renamed " + id(person)));
      case "zone" ->
          printed.one(
              hub.patch(
                  path(sub.taking("PERSON ZONE").at(0)),
                  none.with("zone", sub.at(1).equals("-") ? "" : sub.at(1))),
              person ->
                  printed.line(
                      id(person) + ": " + person.text("zone").orElse("the zone of the hub")));
      case "link" -> link(hub, sub.taking("PERSON [IDENTITY]"), printed);
      case "unlink" ->
          printed.one(
              hub.delete(
                  path(sub.taking("PERSON IDENTITY").at(0))
                      + "/identities?identity="
                      + HttpRequest.encoded(sub.at(1))),
              person -> printed.line("Unlinked " + sub.at(1) + " from " + id(person)));
      case "grant" ->
          printed.one(
              hub.post(
                  path(sub.taking("PERSON ROLE").at(0)) + "/roles",
                  none.with("role", sub.at(1)).with("worker", arguments.value(WORKER))),
              person -> printed.line(id(person) + ": " + roles(person)));
      case "revoke" ->
          printed.one(
              hub.delete(
                  path(sub.taking("PERSON ROLE").at(0))
                      + "/roles?role="
                      + HttpRequest.encoded(sub.at(1))
                      + arguments
                          .value(WORKER)
                          .map(worker -> "&worker=" + HttpRequest.encoded(worker))
                          .orElse("")),
              person -> printed.line(id(person) + ": " + roles(person)));
      case "remove" ->
          printed.one(
              hub.delete(path(sub.taking("PERSON").at(0))),
              person -> printed.line("Removed " + id(person)));
      default -> {
        sub.taking("");
        printed.one(
            hub.post("/owner-codes", none.with("name", arguments.value(NAME))),
            code -> code(code, "makes its sender an owner", printed));
      }
    }
    return ExitCode.DONE;
  }

  private static void link(HubClient hub, Subcommand sub, Printed printed) {
    String person = path(sub.at(0));
    if (sub.operands().size() == 1) {
      printed.one(
          hub.post(person + "/link-codes", JsonValue.Obj.EMPTY),
          code -> code(code, "links the account that sends it", printed));
      return;
    }
    printed.one(
        hub.post(person + "/identities", JsonValue.Obj.EMPTY.with("identity", sub.at(1))),
        linked -> printed.line("Linked " + sub.at(1) + " to " + id(linked)));
  }

  private static void code(JsonValue.Obj code, String does, Printed printed) {
    printed.line(code.text("command").orElse(""));
    printed
        .shell()
        .notes()
        .line(
            "Send this to the bot in a chat, for "
                + code.text("name").orElse("")
                + ". It "
                + does
                + ", once, and expires "
                + printed.until(code, "expires_at")
                + ".");
  }

  private static String path(String person) {
    return "/people/" + HttpRequest.encoded(person);
  }

  private static String id(JsonValue.Obj person) {
    return person.text("person_id").orElse("");
  }

  private static String roles(JsonValue.Obj person) {
    String roles =
        person.objects("roles").stream()
            .map(role ->
                role.text("role").orElse("")
                    + role.text("worker").map(worker -> " of " + worker).orElse(""))
            .collect(Collectors.joining(", "));
    return roles.isEmpty() ? "no role" : roles;
  }

  private static String accounts(JsonValue.Obj person) {
    return person.objects("identities").stream()
        .map(account -> account.text("identity").orElse(""))
        .collect(Collectors.joining(", "));
  }

  private static void table(List<JsonValue.Obj> people, ShellContext shell) {
    Table table =
        new Table(
            List.of(
                Column.whole("PERSON"),
                new Column("NAME", Kind.WHOLE, 1),
                Column.shrinks("ROLES"),
                Column.shrinks("ACCOUNTS"),
                new Column("ZONE", Kind.WHOLE, 2)));
    for (JsonValue.Obj person : people) {
      table.row(
          List.of(
              Printed.cell(person, "person_id"),
              Printed.cell(person, "name"),
              Cell.of(roles(person)),
              Cell.of(accounts(person)),
              Printed.cell(person, "zone")));
    }
    table.print(shell.page());
  }

  private static void show(JsonValue.Obj person, Printed printed) {
    KeyValueTable facts = new KeyValueTable(printed.shell().page());
    facts.addWhole("person", id(person));
    facts.add("name", person.text("name").orElse(""));
    facts.add("zone", person.text("zone").orElse("that of the hub"));
    facts.add("roles", roles(person));
    for (JsonValue.Obj account : person.objects("identities")) {
      facts.addWhole(
          "account",
          account.text("identity").orElse("") + ", linked " + printed.ago(account, "linked_at"));
    }
    facts.print();
  }
}
