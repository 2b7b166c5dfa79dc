package dev.midcourse.cli.command.run;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.client.HubTimes;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.LogPrinter;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.input.NumberOptions;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Prints the events of a run, or the output of its agent. */
public final class LogsCommand extends Command {
  private static final int PAGE = 1000;
  private static final String FIRST_CURSOR = "0";

  private static final OptionSpec FOLLOW =
      OptionSpec.flag("--follow", "print new events until the run ends").or('f');
  private static final OptionSpec SINCE =
      OptionSpec.value(
          "--since", "CURSOR|TIME", "only events after this cursor, or of the last 10m, 2h, 1d");
  private static final OptionSpec RAW =
      OptionSpec.choice(
          "--raw", "STREAM", List.of("out", "err"), "print the raw output of the agent");

  public LogsCommand() {
    super(
        new CommandSpec(
            "logs",
            CommandSpec.Group.RUNS,
            "print the events of a run",
            """
            Every event has a cursor; --json shows it. --since CURSOR continues after that event without \
            gaps or duplicates.
            """,
            List.of(CommonOptions.RUN),
            List.of(FOLLOW, SINCE, CommonOptions.JSON, RAW),
            List.of(
                new Example("midcourse logs - --follow", "follow the only live run"),
                new Example("midcourse logs fix --json | tail -n 1", "the newest event as JSON"))));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = new HubStarter(shell).client();
    String asked = arguments.operands().getFirst();
    RunInfo run = new RunInfo(hub.get(CommonOptions.run(asked)));
    if (arguments.has(RAW)) {
      raw(hub, run.id(), arguments.value(RAW).orElse("out"), shell);
      return ExitCode.DONE;
    }
    boolean json = arguments.has(CommonOptions.JSON);
    LogPrinter printer = new LogPrinter(shell.page(), shell.clock().instant());
    Optional<Instant> from = sinceTime(arguments, shell);
    String since =
        from.isPresent()
            ? FIRST_CURSOR
            : NumberOptions.of(arguments, SINCE).map(String::valueOf).orElse(FIRST_CURSOR);
    Sink sink =
        event -> {
          if (from.isEmpty() || isSince(event, from.get())) {
            print(event, json, printer, shell);
          }
        };
    if (arguments.has(FOLLOW) && run.live()) {
      follow(hub, run.id(), since, sink);
    } else {
      pages(hub, run.id(), since, sink);
    }
    return ExitCode.DONE;
  }

  /** Returns the time that --since means, if its value ends with a unit of time. */
  private static Optional<Instant> sinceTime(ParsedArguments arguments, ShellContext shell) {
    return arguments
        .value(SINCE)
        .filter(text -> text.matches(".*[a-z]"))
        .flatMap(text -> CommonOptions.duration(arguments, SINCE))
        .map(duration -> shell.clock().instant().minus(duration));
  }

  private static boolean isSince(JsonValue.Obj event, Instant from) {
    return event.text("at").flatMap(HubTimes::of).filter(at -> !at.isBefore(from)).isPresent();
  }

  private interface Sink {
    void take(JsonValue.Obj event);
  }

  private static void print(
      JsonValue.Obj event, boolean json, LogPrinter printer, ShellContext shell) {
    if (json) {
      shell.page().line(JsonWriter.compact(event));
    } else {
      printer.print(event);
    }
  }

  private static void pages(HubClient hub, String run, String since, Sink sink) {
    String after = since;
    while (true) {
      JsonValue.Obj page =
          hub.get(
              CommonOptions.run(run)
                  + "/events?after="
                  + HttpRequest.encoded(after)
                  + "&limit="
                  + PAGE);
      List<JsonValue.Obj> events = page.objects("events");
      events.forEach(sink::take);
      Optional<String> next = page.text("next");
      if (events.size() < PAGE || next.isEmpty() || next.get().equals(after)) {
        return;
      }
      after = next.get();
    }
  }

  private static void follow(HubClient hub, String run, String since, Sink sink)
      throws InterruptedException {
    try (EventFeed feed =
        EventFeed.open(hub, run, Optional.of(since), "", EventFeed.Absence.IGNORED)) {
      Optional<JsonValue.Obj> event = feed.next();
      while (event.isPresent()) {
        sink.take(event.get());
        boolean ended = event.get().text("kind").orElse("").equals("run_ended");
        if (ended && !new RunInfo(hub.get(CommonOptions.run(run))).live()) {
          return;
        }
        event = feed.next();
      }
    }
  }

  /** Prints the output unchanged to a pipe, and sanitized to a terminal. */
  private static void raw(HubClient hub, String run, String stream, ShellContext shell) {
    String path = CommonOptions.run(run) + "/log?stream=" + stream;
    if (!shell.terminals().out()) {
      hub.copy(path, shell.out());
      shell.out().flush();
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    hub.copy(path, bytes);
    shell.out().print(TextSanitizer.lines(bytes.toString(StandardCharsets.UTF_8)));
    shell.out().flush();
  }
}
