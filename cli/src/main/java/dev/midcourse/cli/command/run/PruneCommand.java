package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Deletes runs that ended long ago. */
public final class PruneCommand extends Command {
  private static final int DEFAULT_DAYS = 30;
  private static final String DEFAULT = DEFAULT_DAYS + "d";
  private static final OptionSpec OLDER =
      OptionSpec.value(
          "--older-than",
          "TIME",
          "delete runs that ended longer ago than this (default " + DEFAULT + ")");

  private static final OptionSpec DRY_RUN =
      OptionSpec.flag("--dry-run", "print the runs that would be deleted, and delete nothing");
  private static final OptionSpec YES = OptionSpec.flag("--yes", "do not ask").or('y');

  public PruneCommand() {
    super(
        new CommandSpec(
            "prune",
            CommandSpec.Group.HUB,
            "delete old runs with their events and files",
            """
            Also deletes the checkouts of these runs. At a terminal it asks first, unless --yes is given.
            """,
            List.of(),
            List.of(OLDER, DRY_RUN, YES, CommonOptions.JSON),
            List.of(new Example("midcourse prune --older-than 7d", "keep the last week"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws IOException {
    Duration age = CommonOptions.duration(arguments, OLDER).orElse(Duration.ofDays(DEFAULT_DAYS));
    HubClient hub = new HubStarter(shell).client();
    if (arguments.has(DRY_RUN)) {
      List<String> old = old(hub, shell.clock().instant().minus(age));
      old.forEach(shell.page()::line);
      shell.notes().line("Would delete " + runs(old.size()) + " with their checkouts");
      return ExitCode.DONE;
    }
    if (shell.interactive() && !arguments.has(YES) && !agreed(hub, age, shell)) {
      shell.notes().line("Nothing was deleted");
      return ExitCode.DONE;
    }
    JsonValue.Obj answer =
        hub.post(
            "/prune",
            JsonValue.Obj.EMPTY.with("older_than", arguments.value(OLDER).orElse(DEFAULT)));
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, answer);
    } else {
      long pruned = answer.number("pruned").orElse(0L);
      shell.page().line("Deleted " + runs(pruned));
    }
    return ExitCode.DONE;
  }

  private static boolean agreed(HubClient hub, Duration age, ShellContext shell)
      throws IOException {
    int count = old(hub, shell.clock().instant().minus(age)).size();
    if (count == 0) {
      return true;
    }
    shell.err().print("Delete " + runs(count) + " with their events, files and checkouts? [y/N] ");
    shell.err().flush();
    String answer =
        new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8)).readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /** Returns the ids of the runs that ended before this time. */
  private static List<String> old(HubClient hub, Instant before) {
    List<String> ids = new ArrayList<>();
    RunPages.each(
        hub,
        "&state=done,failed,failed_contract,failed_timeout,stopped",
        Long.MAX_VALUE,
        runs ->
            runs.stream()
                .filter(run -> run.at("ended_at").filter(at -> at.isBefore(before)).isPresent())
                .forEach(run -> ids.add(run.id())));
    return ids;
  }

  private static String runs(long count) {
    return CostText.count(count) + (count == 1 ? " run" : " runs");
  }
}
