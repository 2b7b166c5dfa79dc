package dev.midcourse.cli.live;

import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TerminalOutput;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** The view of a live run without typing. Prints one line for each event to standard error. */
public final class PlainView {
  private static final int EARLIER_ROWS = 20;

  private final ShellContext shell;

  public PlainView(ShellContext shell) {
    this.shell = shell;
  }

  /**
   * Prints events until the run has ended. Ctrl-C leaves the run running and prints how to stop it.
   */
  public RunInfo follow(FollowedRun following) throws InterruptedException {
    TerminalOutput page = shell.notes();
    Thread shutdownHook =
        new Thread(() ->
            page.line(
                following.run().id()
                    + " is still running. Stop it: midcourse stop "
                    + following.run().id()));
    following.announceTo(page::line);
    Runtime.getRuntime().addShutdownHook(shutdownHook);
    try {
      ActivityLines news = new ActivityLines(page, following.began(shell));
      List<JsonValue.Obj> asks = following.openAsks();
      news.tail(following.earlierWithout(asks), EARLIER_ROWS).forEach(page::line);
      asks.forEach(ask -> {
        news.of(AskHint.asEvent(ask)).forEach(page::line);
        page.line(news.below(AskHint.commands(following.run().id(), ask)));
      });
      Optional<JsonValue.Obj> event = following.next();
      while (event.isPresent()) {
        news.of(event.get()).forEach(page::line);
        if (event.get().text("kind").orElse("").equals("asked")) {
          page.line(news.below(AskHint.commands(following.run().id(), event.get())));
        }
        if (following.ends(event.get())) {
          break;
        }
        event = following.next();
      }
      return following.now();
    } finally {
      removeHook(shutdownHook);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is already ending, and the hook with it.
    }
  }
}
