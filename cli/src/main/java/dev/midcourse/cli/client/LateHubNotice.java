package dev.midcourse.cli.client;

import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells the user once that the hub has not answered, for example because it was suspended. */
final class LateHubNotice implements Runnable {
  private static final String HUB_FILE = "hub.json";

  private final ShellContext shell;
  private final AtomicBoolean shown = new AtomicBoolean();

  LateHubNotice(ShellContext shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (shown.compareAndSet(false, true)) {
      shell
          .notes()
          .line(
              "midcourse: "
                  + hubOf(shell.data())
                  + " has not answered for 2 s; still waiting, Ctrl-C to give up");
    }
  }

  /** Returns the words for the hub of this folder, with its process if that is known. */
  static String hubOf(Path data) {
    try {
      return JsonReader.readObject(Files.readString(data.resolve(HUB_FILE)))
          .number("pid")
          .map(pid -> "the hub (pid " + pid + ")")
          .orElse("the hub");
    } catch (IOException | JsonException unknown) {
      return "the hub";
    }
  }
}
