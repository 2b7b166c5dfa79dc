package dev.midcourse.cli.command.schedule;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.TextSource;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Operand;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Adds, lists and changes schedules: prompts that the hub gives at due times. */
public final class ScheduleCommand extends Command {
  private static final OptionSpec AT =
      OptionSpec.value("--at", "TIME", "a single local time instead of CRON: \"2026-11-20 09:00\"");
  private static final OptionSpec EVERY =
      OptionSpec.value("--every", "TIME", "an interval instead of CRON, from now on: 30m, 2d");
  private static final OptionSpec CRON =
      OptionSpec.value("--cron", "CRON", "with update: another cron expression");
  private static final OptionSpec PROMPT =
      OptionSpec.value("--prompt", "TEXT", "with update: another prompt");
  private static final OptionSpec ZONE =
      OptionSpec.value(
          "--zone", "ZONE", "time zone: Europe/Berlin; default: that of this terminal");
  private static final OptionSpec MISSED =
      OptionSpec.choice(
          "--missed",
          "HOW",
          List.of("once", "skip", "all"),
          "runs for times missed while no hub ran: one for all, none, all; default: once");
  private static final OptionSpec CHECK =
      OptionSpec.value(
          "--check", "PROGRAM", "program that decides at each due time whether to wake the agent");
  private static final OptionSpec NO_CHECK =
      OptionSpec.flag("--no-check", "with update: remove the check");
  private static final OptionSpec NAME = OptionSpec.value("--name", "NAME", "name in lists");
  private static final OptionSpec WORKER =
      OptionSpec.value("--worker", "W", "worker for the runs; default: any");
  private static final OptionSpec AGENT =
      OptionSpec.value("--agent", "A", "agent to use; default: that of the worker");
  private static final OptionSpec DIR =
      OptionSpec.value("--dir", "PATH", "working directory; default: the current one");
  private static final OptionSpec ALL =
      OptionSpec.flag("--all", "with list: schedules that have ended, too");

  private static final String USAGE = "see midcourse help schedule";

  public ScheduleCommand() {
    super(
        new CommandSpec(
            "schedule",
            CommandSpec.Group.RUNS,
            "give prompts at due times: cron, a single time, an interval",
            """
            add CRON PROMPT adds a schedule and prints its next three times. list, show, pause, resume, \
            update, cancel and run take the schedule by its id or the beginning of it; run gives the \
            prompt now, too.

            CRON has 5 fields (minute hour day month weekday), 6 with seconds in front, or is @hourly, \
            @daily, @weekly, @monthly or @yearly. Times are local to the zone. A time that clocks skip in \
            spring is due right after the gap; one that they show twice in autumn is due once.

            A check prints a last line {"wake_agent": true, "data": ...}, and the data is added to the \
            prompt. Any other output, an error, or more than 30 s wakes nobody.
            """,
            List.of(
                new Operand(
                    "WHAT",
                    Operand.Count.OPTIONAL,
                    Operand.Kind.TEXT,
                    "add | list | show | pause | resume | update | cancel | run"),
                new Operand("SCHEDULE", Operand.Count.ANY, Operand.Kind.TEXT, "CRON PROMPT | ID")),
            List.of(
                AT,
                EVERY,
                ZONE,
                WORKER,
                AGENT,
                DIR,
                MISSED,
                CHECK,
                NAME,
                CRON,
                PROMPT,
                NO_CHECK,
                ALL,
                CommonOptions.JSON),
            List.of(
                new Example(
                    "midcourse schedule add \"0 9 * * 1-5\" \"Summarise open issues\" --worker reporter",
                    "every working day at nine"),
                new Example(
                    "midcourse schedule add --at \"2026-11-20 09:00\" \"Check the release\"",
                    "once"),
                new Example(
                    "midcourse schedule update summ --cron \"30 8 * * *\"", "another time"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell)
      throws IOException, InterruptedException {
    List<String> operands = arguments.operands();
    String what = operands.isEmpty() ? "list" : operands.getFirst();
    List<String> rest = operands.isEmpty() ? List.of() : operands.subList(1, operands.size());
    SchedulePrinter printer = new SchedulePrinter(shell, arguments.has(CommonOptions.JSON));
    switch (what) {
      case "add" -> {
        JsonValue.Obj request = request(arguments, rest, shell);
        printer.next(hub(shell).post("/schedules", request));
      }
      case "list" -> {
        none(rest);
        printer.list(hub(shell).get("/schedules" + (arguments.has(ALL) ? "?all=true" : "")));
      }
      case "show" -> printer.details(hub(shell).get(path(rest)));
      case "run" -> printer.started(hub(shell).post(path(rest) + "/run", JsonValue.Obj.EMPTY));
      case "pause", "resume", "cancel" ->
          printer.next(hub(shell).post(path(rest) + "/" + what, JsonValue.Obj.EMPTY));
      case "update" -> printer.next(hub(shell).patch(path(rest), change(arguments, shell)));
      default ->
          throw Failure.usage(
              "schedule: expected add, list, show, pause, resume, update, cancel or run; got '"
                  + what
                  + "'",
              USAGE);
    }
    return ExitCode.DONE;
  }

  private static HubClient hub(ShellContext shell) throws IOException, InterruptedException {
    return new HubStarter(shell).ensure();
  }

  private static void none(List<String> rest) {
    if (!rest.isEmpty()) {
      throw Failure.usage("schedule: list takes no more arguments", USAGE);
    }
  }

  private static String path(List<String> rest) {
    if (rest.size() != 1) {
      throw Failure.usage("schedule: expected one schedule", "list them: midcourse schedule list");
    }
    return "/schedules/" + HttpRequest.encoded(rest.getFirst());
  }

  private static JsonValue.Obj request(
      ParsedArguments arguments, List<String> rest, ShellContext shell)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(rest);
    Optional<String> cron = Optional.empty();
    if (!arguments.has(AT) && !arguments.has(EVERY)) {
      if (words.isEmpty()) {
        throw Failure.usage(
            "schedule: expected CRON PROMPT, or --at TIME PROMPT, or --every TIME PROMPT", USAGE);
      }
      cron = Optional.of(words.removeFirst());
    }
    Optional<String> typed =
        words.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", words));
    return JsonValue.Obj.EMPTY
        .with("prompt", new TextSource(shell).of(typed, "prompt", ""))
        .with("cron", cron)
        .with("at", arguments.value(AT))
        .with("every", arguments.value(EVERY))
        .with("zone", arguments.value(ZONE).or(ScheduleCommand::localZone))
        .with("worker", arguments.value(WORKER))
        .with("agent", arguments.value(AGENT))
        .with("dir", absolute(arguments.value(DIR).orElse(""), shell))
        .with("name", arguments.value(NAME))
        .with("missed", arguments.value(MISSED))
        .with("check", arguments.value(CHECK).map(path -> absolute(path, shell)));
  }

  /** The zone of this terminal; empty if it has no name, and the hub takes its own. */
  private static Optional<String> localZone() {
    return Optional.of(ZoneId.systemDefault().getId())
        .filter(ZoneId.getAvailableZoneIds()::contains);
  }

  private static String absolute(String path, ShellContext shell) {
    return shell.folder().resolve(path).normalize().toString();
  }

  private static JsonValue.Obj change(ParsedArguments arguments, ShellContext shell) {
    Optional<String> check =
        arguments.has(NO_CHECK)
            ? Optional.of("")
            : arguments.value(CHECK).map(path -> absolute(path, shell));
    JsonValue.Obj change =
        JsonValue.Obj.EMPTY
            .with("prompt", arguments.value(PROMPT))
            .with("cron", arguments.value(CRON))
            .with("at", arguments.value(AT))
            .with("every", arguments.value(EVERY))
            .with("zone", arguments.value(ZONE))
            .with("name", arguments.value(NAME))
            .with("missed", arguments.value(MISSED))
            .with("check", check);
    if (change.fields().isEmpty()) {
      throw Failure.usage(
          "schedule: update needs a change such as --cron, --at, --prompt or --zone", USAGE);
    }
    return change;
  }
}
