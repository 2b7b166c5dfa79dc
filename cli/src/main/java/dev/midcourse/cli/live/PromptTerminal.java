package dev.midcourse.cli.live;

import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.TextSanitizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Status;

/**
 * A terminal with three places: news that scroll, a line being typed that the news do not disturb,
 * and a status below. Anything may print; one thread reads.
 */
final class PromptTerminal implements AutoCloseable {
  private static final String PROMPT = "> ";
  private static final long TICK_MILLIS = 200;

  /** What came from the keyboard. */
  sealed interface Input {
    record Words(String line) implements Input {}

    record Interrupt() implements Input {}

    record EndOfInput() implements Input {}

    /**
     * There is nothing to type for any more.
     *
     * @param unsent what had been typed and not sent
     */
    record Closed(String unsent) implements Input {}
  }

  private final Terminal terminal;
  private final Reader reader;
  private final Optional<Status> status;
  private final Thread owner = Thread.currentThread();
  private volatile boolean over;
  private Optional<Thread> ticker = Optional.empty();

  private PromptTerminal(Terminal terminal) {
    this.terminal = terminal;
    this.reader = new Reader(terminal);
    this.status = Optional.ofNullable(Status.getStatus(terminal));
  }

  /** Closing the terminal puts everything back. */
  static PromptTerminal open() throws IOException {
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .encoding(StandardCharsets.UTF_8)
            .signalHandler(Terminal.SignalHandler.SIG_IGN)
            .build();
    terminal.enterRawMode(); // so that what is typed between two lines is not echoed
    return new PromptTerminal(terminal);
  }

  /** Keeps the status up to date until this is closed. */
  void show(Supplier<String> line) {
    if (status.isEmpty()) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!over) {
                  draw(line.get());
                  Thread.sleep(TICK_MILLIS);
                }
              } catch (InterruptedException closed) {
                // Nothing more to show.
              }
            },
            "midcourse-status");
    thread.setDaemon(true);
    ticker = Optional.of(thread);
    thread.start();
  }

  private void draw(String line) {
    String fitting =
        DisplayWidth.shortened(line, Math.max(10, terminal.getSize().getColumns() - 1));
    AttributedString shown = new AttributedString(fitting, AttributedStyle.DEFAULT.faint());
    reader.whileNothingElseIsWritten(() -> status.orElseThrow().update(List.of(shown)));
  }

  /** A line above the one being typed; with colours, otherwise clean. */
  void print(String line) {
    reader.printAbove(AttributedString.fromAnsi(line));
  }

  /** The next thing from the keyboard, or the news that there is no more to type for. */
  Input read() {
    if (over) {
      return new Input.Closed("");
    }
    try {
      String line = reader.readLine(PROMPT);
      if (!line.isBlank()) {
        print(PROMPT + TextSanitizer.line(line));
      }
      return new Input.Words(line);
    } catch (UserInterruptException e) {
      boolean ended = over;
      return ended ? new Input.Closed(String.valueOf(e.getPartialLine())) : new Input.Interrupt();
    } catch (EndOfFileException e) {
      return over ? new Input.Closed("") : new Input.EndOfInput();
    }
  }

  /** Ends the reading, from any thread. */
  void end() {
    over = true;
    owner.interrupt();
  }

  @Override
  public void close() throws IOException {
    over = true;
    if (ticker.isPresent()) {
      ticker.get().interrupt();
      try {
        ticker.get().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    status.ifPresent(bar -> {
      bar.update(List.of());
      bar.close();
    });
    terminal.close();
    // What ended the reading is over with it.
    Thread.interrupted();
  }

  /** Reads lines, and lets the status be drawn only when nobody else writes to the terminal. */
  private static final class Reader extends LineReaderImpl {
    Reader(Terminal terminal) {
      super(terminal, "midcourse", new HashMap<>());
      setOpt(Option.DISABLE_EVENT_EXPANSION);
      setOpt(Option.INSERT_TAB);
      setOpt(Option.ERASE_LINE_ON_FINISH);
      unsetOpt(Option.AUTO_MENU);
      setVariable(LineReader.DISABLE_COMPLETION, true);
      setVariable(LineReader.SECONDARY_PROMPT_PATTERN, "  ");
    }

    void whileNothingElseIsWritten(Runnable work) {
      lock.lock();
      try {
        if (reading) {
          work.run();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
