package dev.midcourse.cli.screen;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Shows on a terminal that an operation is running, with the seconds so far. Prints nothing
 * elsewhere. Closing it clears the line.
 */
public final class Spinner implements AutoCloseable {
  private static final Duration FRAME = Duration.ofMillis(100);

  /** No line is shown for a shorter wait. */
  private static final Duration FIRST = Duration.ofMillis(250);

  private final TerminalOutput page;
  private final InstantSource clock;
  private final Supplier<String> what;
  private final Thread thread;
  private boolean drawn;

  private Spinner(TerminalOutput page, InstantSource clock, Supplier<String> what) {
    this.page = page;
    this.clock = clock;
    this.what = what;
    this.thread = new Thread(this::spin, "midcourse-spinner");
    thread.setDaemon(true);
  }

  public static Spinner on(TerminalOutput page, InstantSource clock, String what) {
    return on(page, clock, () -> what);
  }

  /** Starts a spinner whose text may change. */
  public static Spinner on(TerminalOutput page, InstantSource clock, Supplier<String> what) {
    Spinner spinner = new Spinner(page, clock, what);
    if (page.terminal()) {
      spinner.thread.start();
    }
    return spinner;
  }

  private void spin() {
    Instant began = clock.instant();
    try {
      Thread.sleep(FIRST.toMillis());
      for (long frame = 0; !Thread.interrupted(); frame++) {
        String elapsed = DurationText.span(Duration.between(began, clock.instant()));
        String line = page.glyphs().spinner(frame) + " " + what.get() + " " + elapsed;
        draw("\r" + DisplayWidth.shortened(line, page.columns() - 1) + "\u001b[K");
        Thread.sleep(FRAME.toMillis());
      }
    } catch (InterruptedException over) {
      // The spinner was closed.
    }
  }

  private synchronized void draw(String text) {
    if (!Thread.currentThread().isInterrupted()) {
      page.stream().print(text);
      page.stream().flush();
      drawn = true;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (drawn) {
      page.stream().print("\r\u001b[K");
      page.stream().flush();
    }
  }
}
