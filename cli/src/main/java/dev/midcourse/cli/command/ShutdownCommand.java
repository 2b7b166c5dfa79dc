package dev.midcourse.cli.command;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.Spinner;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.cli.spec.CommandSpec;
import dev.midcourse.cli.spec.ParsedArguments;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends the hub and leaves the agents at work for the next one. */
final class ShutdownCommand implements Command {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  static final CommandSpec SPEC =
      new CommandSpec(
          "shutdown",
          CommandSpec.Group.HUB,
          "[--json]",
          "end the hub; agents go on with their work",
          """
          The next hub finds the agents again and misses nothing of what they did. To end them too, \
          stop their runs first: midcourse stop $(midcourse ps -q).
          """,
          List.of(),
          List.of(CommonOptions.JSON),
          List.of());

  @Override
  public CommandSpec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(ParsedArguments arguments, ShellContext shell) throws InterruptedException {
    HubClient hub = HubClient.at(shell.data());
    JsonValue.Obj answer = hub.post("/shutdown", JsonValue.Obj.EMPTY);
    try (Spinner spinner = Spinner.on(shell.notes(), shell.clock(), "Waiting for the hub")) {
      awaitEnd(hub);
    }
    if (arguments.has(CommonOptions.JSON)) {
      CommonOptions.print(shell, answer);
      return ExitCode.DONE;
    }
    List<String> left = left(answer);
    shell.page().line("the hub has ended");
    if (!left.isEmpty()) {
      shell.page().line("still at work: " + TextSanitizer.line(String.join(", ", left)));
    }
    return ExitCode.DONE;
  }

  private static void awaitEnd(HubClient hub) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (answers(hub)) {
      if (System.nanoTime() > deadline) {
        throw Failure.of(
            ExitCode.TIME_OVER,
            "the hub is still there after " + TIMEOUT.toSeconds() + " s",
            "see " + hub.data().resolve(HubClient.LOG));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** A connection that breaks off is a hub that goes away. */
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
