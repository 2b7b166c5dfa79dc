package dev.midcourse.cli.live;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;

/** Stays with a run where nobody types: a line for each piece of news, beside the output. */
public final class PlainView {
  private final ShellContext shell;

  public PlainView(ShellContext shell) {
    this.shell = shell;
  }

  /** Until the run has ended; Ctrl-C leaves the run at work and says so. */
  public RunInfo follow(FollowedRun following) throws InterruptedException {
    TerminalOutput page = shell.notes();
    Thread farewell =
        new Thread(() ->
            page.line(
                following.run().id()
                    + " is still running. Stop it: midcourse stop "
                    + following.run().id()));
    following.announceTo(page::line);
    Runtime.getRuntime().addShutdownHook(farewell);
    try {
      ActivityLines news = new ActivityLines(page, following.began(shell));
      Optional<JsonValue.Obj> event = following.next();
      while (event.isPresent()) {
        news.of(event.get()).forEach(page::line);
        if (following.ends(event.get())) {
          break;
        }
        event = following.next();
      }
      return following.now();
    } finally {
      removeHook(farewell);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook with it.
    }
  }
}
