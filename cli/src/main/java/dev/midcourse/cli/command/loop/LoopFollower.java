package dev.midcourse.cli.command.loop;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;

/** Prints what a loop does until it ends or waits for a person. */
record LoopFollower(HubClient hub, LoopPrinter printer) {
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /**
   * Returns the exit code that tells how it ended.
   *
   * @param begun whether the loop was started by this command
   */
  ExitCode follow(String loop, boolean begun) {
    String path = "/loops/" + HttpRequest.encoded(loop);
    JsonValue.Obj now = hub.get(path);
    printer.head(now.object("loop"), begun);
    printer.news(now);
    while (true) {
      JsonValue.Obj state = now.object("loop");
      switch (LoopPrinter.word(state, "phase")) {
        case "done" -> {
          printer.end(state);
          return ExitCode.DONE;
        }
        case "stopped" -> {
          printer.end(state);
          return ExitCode.RUN_STOPPED;
        }
        case "parked" -> {
          printer.end(state);
          return ExitCode.LOOP_PARKED;
        }
        default -> {
          String cursor = now.text("cursor").orElse("0");
          now =
              hub.getSlowly(
                  path + "?after=" + cursor + "&timeout=" + WAIT.toSeconds() + "s", TIMEOUT);
          printer.news(now);
        }
      }
    }
  }
}
