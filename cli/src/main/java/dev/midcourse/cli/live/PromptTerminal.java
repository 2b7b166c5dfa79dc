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
 * A terminal with three areas: scrolling lines, an input line that they do not disturb, and a
 * status row at the bottom. Every thread may print; one thread reads.
 */
public final class PromptTerminal implements AutoCloseable {
  private static final String PROMPT = "> ";
  private static final long TICK_MILLIS = 200;

  /** Input from the keyboard. */
  public sealed interface Input {
    record Words(String line) implements Input {}

    record Interrupt() implements Input {}

    record EndOfInput() implements Input {}

    /**
     * The view was ended, so no more input is read.
     *
     * @param unsent what had been typed and not sent
     */
    record Closed(String unsent) implements Input {}
  }

  private final Terminal terminal;
  private final Reader reader;
  private final Optional<Status> status;
  private final Thread owner = Thread.currentThread();

  /** Guards {@link #reading}, so that {@link #end} interrupts its owner only while it reads. */
  private final Object readLock = new Object();

  private boolean reading;
  private boolean echoes = true;
  private volatile boolean over;
  private Optional<Thread> ticker = Optional.empty();

  PromptTerminal(Terminal terminal) {
    this.terminal = terminal;
    this.reader = new Reader(terminal);
    this.status = Optional.ofNullable(Status.getStatus(terminal));
  }

  /**
   * Opens the terminal. Closing it restores the settings.
   *
   * <p>JLine would raise a signal for each Ctrl-C and pass the key on too, so that one press could
   * end two lines. Without these signals the key is the only sign of a press.
   */
  public static PromptTerminal open() throws IOException {
    System.setProperty(TerminalBuilder.PROP_SOFTWARE_SIGNALS, "false");
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .encoding(StandardCharsets.UTF_8)
            .signalHandler(Terminal.SignalHandler.SIG_IGN)
            .build();
    terminal.enterRawMode(); // keys typed between two lines are not echoed
    return new PromptTerminal(terminal);
  }

  /** Updates the status row until this terminal is closed. */
  public void show(Supplier<String> line) {
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
                // The terminal was closed.
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
    reader.runExclusively(() -> status.orElseThrow().update(List.of(shown)));
  }

  /** Prints a line above the input line. The line may have colours; its text must be sanitized. */
  public void print(String line) {
    reader.printAbove(AttributedString.fromAnsi(line));
  }

  /** Prints a line as it was typed; a blank one is left out. */
  public void echo(String line) {
    if (!line.isBlank()) {
      print(PROMPT + TextSanitizer.line(line));
    }
  }

  /** From now on a typed line is not printed by itself, because what it does shows it. */
  public void stopEcho() {
    echoes = false;
  }

  /** Blocks until the next input; {@code Closed} after {@link #end}. */
  public Input read() {
    synchronized (readLock) {
      if (over) {
        return new Input.Closed("");
      }
      reading = true;
    }
    try {
      return readLine();
    } finally {
      synchronized (readLock) {
        reading = false;
        if (over) {
          Thread.interrupted(); // the interrupt of end()
        }
      }
    }
  }

  private Input readLine() {
    try {
      String line = reader.readLine(PROMPT);
      if (echoes) {
        echo(line);
      }
      return new Input.Words(line);
    } catch (UserInterruptException e) {
      return over ? new Input.Closed(String.valueOf(e.getPartialLine())) : new Input.Interrupt();
    } catch (EndOfFileException e) {
      return over ? new Input.Closed("") : new Input.EndOfInput();
    }
  }

  /**
   * Ends {@link #read}. May be called from any thread. The owner is interrupted only inside of
   * {@code read}, so that no other call of it, such as a request to the hub, is interrupted.
   */
  void end() {
    synchronized (readLock) {
      over = true;
      if (reading) {
        owner.interrupt();
      }
    }
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
  }

  /**
   * Reads lines, and draws the status only while a line is being read and no other thread writes.
   */
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

    void runExclusively(Runnable work) {
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
