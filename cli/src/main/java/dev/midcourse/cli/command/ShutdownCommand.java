package dev.midcourse.cli.command;

import dev.midcourse.cli.client.Hub;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.Clean;
import dev.midcourse.cli.screen.Shell;
import dev.midcourse.cli.screen.Spinner;
import dev.midcourse.cli.spec.Arguments;
import dev.midcourse.cli.spec.Spec;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends the hub and leaves the agents at work for the next one. */
final class ShutdownCommand implements Command {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  static final Spec SPEC =
      new Spec(
          "shutdown",
          Spec.Group.HUB,
          "[--json]",
          "end the hub; agents go on with their work",
          """
          The next hub finds the agents again and misses nothing of what they did. To end them too, \
          stop their runs first: midcourse stop $(midcourse ps -q).
          """,
          List.of(),
          List.of(Common.JSON),
          List.of());

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public ExitCode run(Arguments arguments, Shell shell) throws InterruptedException {
    Hub hub = Hub.at(shell.data());
    JsonValue.Obj answer = hub.post("/shutdown", JsonValue.Obj.EMPTY);
    try (Spinner spinner = Spinner.on(shell.notes(), shell.clock(), "Waiting for the hub")) {
      awaitEnd(hub);
    }
    if (arguments.has(Common.JSON)) {
      Common.print(shell, answer);
      return ExitCode.DONE;
    }
    List<String> left = left(answer);
    shell.page().line("the hub has ended");
    if (!left.isEmpty()) {
      shell.page().line("still at work: " + Clean.line(String.join(", ", left)));
    }
    return ExitCode.DONE;
  }

  private static void awaitEnd(Hub hub) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (answers(hub)) {
      if (System.nanoTime() > deadline) {
        throw Failure.of(
            ExitCode.TIME_OVER,
            "the hub is still there after " + PATIENCE.toSeconds() + " s",
            "see " + hub.data().resolve(Hub.LOG));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** A connection that breaks off is a hub that goes away. */
  private static boolean answers(Hub hub) {
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
