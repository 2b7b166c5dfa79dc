package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.Ago;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.cli.story.Money;
import dev.midcourse.core.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says whether the hub runs, where, and how quick it is. */
final class StatusCommand implements Command {
  static final Spec SPEC =
      new Spec(
          "status",
          Spec.Group.HUB,
          "[--json]",
          "show the hub: pid, url, version, runs, latencies, and the link to its page",
          """
          The link opens the page in a browser; whoever has it can do all that you can, so keep it \
          to yourself. Exits with 3 when no hub is running.
          """,
          List.of(),
          List.of(Common.JSON),
          List.of());

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) {
    Hub hub = Hub.at(shell.data());
    JsonValue.Obj health = hub.get("/health");
    if (arguments.has(Common.JSON)) {
      Common.print(shell, health);
      return ExitCode.DONE;
    }
    Facts facts = new Facts(shell.page());
    facts.add("hub", health.text("status").orElse(""));
    for (String name : List.of("pid", "url", "version", "data")) {
      health.text(name).ifPresent(value -> facts.add(name, value));
    }
    facts.add("runs", runs(health.object("runs")));
    for (Map.Entry<String, JsonValue> hop : health.object("latency").fields().entrySet()) {
      if (hop.getValue() instanceof JsonValue.Obj times && times.number("count").orElse(0L) > 0) {
        facts.add(hop.getKey().replace('_', ' '), latency(times));
      }
    }
    hub.pageLink(health).ifPresent(link -> facts.addWhole("page", link));
    facts.print();
    return ExitCode.DONE;
  }

  private static String runs(JsonValue.Obj byState) {
    List<String> counts = new ArrayList<>();
    for (String state : byState.fields().keySet()) {
      long count = byState.number(state).orElse(0L);
      if (count > 0) {
        counts.add(Money.count(count) + " " + state);
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
        + Money.count(times.number("count").orElse(0L))
        + " in the last hour";
  }

  private static String time(JsonValue.Obj times, String name) {
    return times.text(name).map(millis -> Ago.rough(new BigDecimal(millis))).orElse("?");
  }
}
