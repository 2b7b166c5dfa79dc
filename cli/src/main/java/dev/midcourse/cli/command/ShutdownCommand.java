package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.CommonOptions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Spinner;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.Command;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stops the hub; its agents keep running for the next hub. */
final class ShutdownCommand extends Command {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  ShutdownCommand() {
    super(
        new CommandSpec(
            "shutdown",
            CommandSpec.Group.HUB,
            "stop the hub; agents keep running",
            """
            The next hub reattaches to the agents and reads all output of the meantime. To stop the \
            agents too, stop their runs first: midcourse stop $(midcourse ps -q).
            """,
            List.of(),
            List.of(CommonOptions.JSON),
            List.of()));
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = HubClient.of(shell);
    JsonValue.Obj answer = hub.post("/shutdown", JsonValue.Obj.EMPTY);
    try (Spinner spinner = Spinner.on(shell.notes(), shell.clock(), "Stopping the hub")) {
      awaitEnd(hub);
    }
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, answer);
      return ExitCode.DONE;
    }
    List<String> left = left(answer);
    shell.page().line("Hub stopped");
    if (!left.isEmpty()) {
      shell.page().line("Still running: " + TextSanitizer.line(String.join(", ", left)));
    }
    return ExitCode.DONE;
  }

  private static void awaitEnd(HubClient hub) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (answers(hub)) {
      if (System.nanoTime() > deadline) {
        throw Failure.of(
            ExitCode.TIME_OVER,
            "the hub did not stop within " + TIMEOUT.toSeconds() + " s",
            "see the log: " + hub.data().resolve(HubClient.LOG));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Returns whether the hub answers. A broken connection counts as no. */
  private static boolean answers(HubClient hub) {
    try {
      return hub.health().isPresent();
    } catch (Failure e) {
      return true;
    }
  }

  private static List<String> left(JsonValue.Obj answer) {
    List<String> left = new ArrayList<>();
    if (answer.fields().get("left") instanceof JsonValue.Arr(List<JsonValue> ids)) {
      for (JsonValue id : ids) {
        if (id instanceof JsonValue.Str(String text)) {
          left.add(text);
        }
      }
    }
    return left;
  }
}
