package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.format.CostText;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.DurationText;
import dev.midcourse.cli.screen.KeyValueTable;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.OptionSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints the address and the latencies of the hub, which it starts if none is running. */
final class StatusCommand extends Command {
  private static final OptionSpec NO_START =
      OptionSpec.flag("--no-start", "fail if no hub is running");

  StatusCommand() {
    super(
        new CommandSpec(
            "status",
            CommandSpec.Group.HUB,
            "show the hub: pid, URL, version, runs, latency and page link",
            """
            The page link signs one browser in. It works once, within one minute; run the command \
            again for another. Starts a hub if none is running; with --no-start it exits with 3 instead.
            """,
            List.of(),
            List.of(NO_START, CommonOptions.JSON),
            List.of()));
  }

  /** An agent takes in a steer when its running tool has ended, so this time is the tool's. */
  private static final String UNTIL_THE_TOOL_ENDS = " (waits for the running tool)";

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) {
    HubClient hub = arguments.has(NO_START) ? HubClient.of(shell) : new HubStarter(shell).client();
    JsonValue.Obj health = hub.get("/health");
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, health);
      return ExitCode.DONE;
    }
    KeyValueTable facts = new KeyValueTable(shell.page());
    facts.add("hub", health.text("status").orElse(""));
    for (String name : List.of("pid", "url", "version", "data")) {
      health.text(name).ifPresent(value -> facts.add(name, value));
    }
    facts.add("runs", runs(health.object("runs")));
    for (Map.Entry<String, JsonValue> hop : health.object("latency").fields().entrySet()) {
      if (hop.getValue() instanceof JsonValue.Obj times && times.number("count").orElse(0L) > 0) {
        String stage = hop.getKey().replace("durable", "stored").replace('_', ' ');
        facts.add(stage, latency(times) + (stage.endsWith("injected") ? UNTIL_THE_TOOL_ENDS : ""));
      }
    }
    hub.pageLink()
        .ifPresent(link -> {
          facts.addWhole("page", link);
          facts.addWhole("", "The link works once, within one minute.");
        });
    facts.print();
    return ExitCode.DONE;
  }

  private static String runs(JsonValue.Obj byState) {
    List<String> counts = new ArrayList<>();
    for (String state : byState.fields().keySet()) {
      long count = byState.number(state).orElse(0L);
      if (count > 0) {
        counts.add(CostText.count(count) + " " + state);
      }
    }
    return counts.isEmpty() ? "none" : String.join(", ", counts);
  }

  private static String latency(JsonValue.Obj times) {
    return "p50 "
        + time(times, "p50_ms")
        + ", p99 "
        + time(times, "p99_ms")
        + ", "
        + CostText.count(times.number("count").orElse(0L))
        + " in the last hour";
  }

  private static String time(JsonValue.Obj times, String name) {
    return times.text(name).map(millis -> DurationText.rough(new BigDecimal(millis))).orElse("?");
  }
}
