package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Table;
import dev.midcourse.cli.screen.Table.Cell;
import dev.midcourse.cli.screen.Table.Column;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Lists the browsers that are signed in at the web page, and signs them out. */
final class SessionsCommand extends Command {
  private static final String REVOKE = "revoke";
  private static final OptionSpec ALL = OptionSpec.flag("--all", "with revoke: all browsers");

  SessionsCommand() {
    super(
        new CommandSpec(
            "sessions",
            CommandSpec.Group.HUB,
            "list browsers signed in at the web page, or sign them out",
            """
            revoke signs browsers out: their requests are refused from then on, and their open pages \
            are disconnected. midcourse status prints a link to sign in again. The sessions of agents \
            belong to their runs: midcourse show RUN.
            """,
            List.of(
                new Operand("WHAT", Operand.Count.OPTIONAL, Operand.Kind.TEXT, REVOKE),
                new Operand("BROWSER", Operand.Count.ANY, Operand.Kind.TEXT)),
            List.of(ALL, CommonOptions.JSON),
            List.of(
                new Example("midcourse sessions revoke k7fp2m9qxw3d", "sign one browser out"),
                new Example("midcourse sessions revoke --all", "sign all browsers out"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = HubClient.of(shell);
    List<String> operands = arguments.operands();
    if (operands.isEmpty() && !arguments.has(ALL)) {
      list(hub, arguments, shell);
      return ExitCode.DONE;
    }
    boolean several = operands.size() > 1;
    if (operands.isEmpty()
        || !operands.getFirst().equals(REVOKE)
        || arguments.has(ALL) == several) {
      throw Failure.usage(
          "sessions: expected revoke BROWSER, or revoke --all", "see midcourse help sessions");
    }
    long revoked = 0;
    if (arguments.has(ALL)) {
      revoked = hub.delete("/sessions").number("revoked").orElse(0L);
    }
    for (String id : operands.subList(1, operands.size())) {
      revoked += hub.delete("/sessions/" + HttpRequest.encoded(id)).number("revoked").orElse(0L);
    }
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, JsonValue.Obj.EMPTY.with("revoked", revoked));
    } else {
      shell.page().line("Signed out " + revoked + (revoked == 1 ? " browser" : " browsers"));
    }
    return ExitCode.DONE;
  }

  private static void list(HubClient hub, ParsedArguments arguments, ShellContext shell) {
    List<JsonValue.Obj> sessions = hub.get("/sessions").objects("sessions");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, new JsonValue.Arr(new ArrayList<>(sessions)));
      return;
    }
    if (sessions.isEmpty()) {
      shell.page().line("No browser is signed in");
      return;
    }
    Table table =
        new Table(
            List.of(
                Column.whole("BROWSER"),
                Column.whole("PROGRAM"),
                Column.whole("SIGNED IN"),
                Column.whole("LAST USED"),
                Column.whole("EXPIRES"),
                Column.shrinks("ADDRESS")));
    Instant now = shell.clock().instant();
    for (JsonValue.Obj session : sessions) {
      table.row(
          List.of(
              Cell.of(session.text("session_id").orElse("")),
              Cell.of(session.text("browser").orElse("")),
              Cell.of(ago(session, "created_at", now)),
              Cell.of(ago(session, "last_used_at", now)),
              Cell.of(until(session, now)),
              Cell.of(session.text("origin").orElse(""))));
    }
    table.print(shell.page());
  }

  private static String ago(JsonValue.Obj session, String field, Instant now) {
    try {
      return DurationText.ago(Instant.parse(session.text(field).orElse("")), now);
    } catch (DateTimeException e) {
      return "?";
    }
  }

  private static String until(JsonValue.Obj session, Instant now) {
    try {
      Instant end = Instant.parse(session.text("expires_at").orElse(""));
      return "in " + DurationText.span(Duration.between(now, end));
    } catch (DateTimeException e) {
      return "?";
    }
  }
}
