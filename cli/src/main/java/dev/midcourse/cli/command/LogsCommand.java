package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Feed;
import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.Request;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Example;
import dev.midcourse.cli.spec.Option;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.story.LogPrinter;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Prints the events of a run, or what its agent wrote itself. */
final class LogsCommand implements Command {
  private static final int PAGE = 1000;
  private static final String NOTHING_YET = "0";

  private static final Option FOLLOW = Option.flag("--follow", "go on until the run ends").or('f');
  private static final Option SINCE =
      Option.value("--since", "CURSOR", "only events after this one");
  private static final Option RAW =
      Option.choice("--raw", "STREAM", List.of("out", "err"), "what the agent itself wrote there");

  static final Spec SPEC =
      new Spec(
          "logs",
          Spec.Group.RUNS,
          "RUN [--follow] [--since CURSOR] [--json] [--raw STREAM]",
          "print the events of a run",
          """
          Every event has a cursor, which --json shows. With --since CURSOR nothing is printed twice \
          and nothing is left out.
          """,
          List.of(Common.RUN),
          List.of(FOLLOW, SINCE, Common.JSON, RAW),
          List.of(
              new Example("midcourse logs - --follow", "watch the only live run"),
              new Example("midcourse logs fix --json | tail -n 1", "the newest event as JSON")));

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws InterruptedException {
    Hub hub = Hub.at(shell.data());
    String asked = arguments.operands().getFirst();
    RunInfo run = new RunInfo(hub.get(Common.run(asked)));
    if (arguments.has(RAW)) {
      raw(hub, run.id(), arguments.value(RAW).orElse("out"), shell);
      return ExitCode.DONE;
    }
    boolean json = arguments.has(Common.JSON);
    LogPrinter printer = new LogPrinter(shell.page());
    String since = Numbers.of(arguments, SINCE).map(String::valueOf).orElse(NOTHING_YET);
    if (arguments.has(FOLLOW) && run.live()) {
      follow(hub, run.id(), since, event -> print(event, json, printer, shell));
    } else {
      pages(hub, run.id(), since, event -> print(event, json, printer, shell));
    }
    return ExitCode.DONE;
  }

  private interface Sink {
    void take(JsonValue.Obj event);
  }

  private static void print(JsonValue.Obj event, boolean json, LogPrinter printer, Shell shell) {
    if (json) {
      shell.page().line(JsonWriter.compact(event));
    } else {
      printer.print(event);
    }
  }

  private static void pages(Hub hub, String run, String since, Sink sink) {
    String after = since;
    while (true) {
      JsonValue.Obj page =
          hub.get(Common.run(run) + "/events?after=" + Request.encoded(after) + "&limit=" + PAGE);
      List<JsonValue.Obj> events = page.objects("events");
      events.forEach(sink::take);
      Optional<String> next = page.text("next");
      if (events.size() < PAGE || next.isEmpty() || next.get().equals(after)) {
        return;
      }
      after = next.get();
    }
  }

  private static void follow(Hub hub, String run, String since, Sink sink)
      throws InterruptedException {
    try (Feed feed = Feed.open(hub, run, Optional.of(since), "", Feed.Absence.IGNORED)) {
      Optional<JsonValue.Obj> event = feed.next();
      while (event.isPresent()) {
        sink.take(event.get());
        boolean ended = event.get().text("kind").orElse("").equals("run_ended");
        if (ended && !new RunInfo(hub.get(Common.run(run))).live()) {
          return;
        }
        event = feed.next();
      }
    }
  }

  /** As it is into a pipe; made safe for a terminal. */
  private static void raw(Hub hub, String run, String stream, Shell shell) {
    String path = Common.run(run) + "/log?stream=" + stream;
    if (!shell.terminals().out()) {
      hub.copy(path, shell.out());
      shell.out().flush();
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    hub.copy(path, bytes);
    shell.out().print(Clean.lines(bytes.toString(StandardCharsets.UTF_8)));
    shell.out().flush();
  }
}
