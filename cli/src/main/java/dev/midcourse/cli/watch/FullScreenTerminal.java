package dev.midcourse.cli.watch;

import dev.midcourse.cli.watch.view.Canvas;
import dev.midcourse.cli.watch.view.Painter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal in full-screen mode. When the process ends, unless it is killed with SIGKILL, the
 * screen, the cursor and the settings are restored.
 */
final class FullScreenTerminal implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?2004h\u001b[?25l\u001b[2J";
  private static final String LEAVE = "\u001b[0m\u001b[?2004l\u001b[?25h\u001b[?1049l";

  /**
   * Starts a synchronized update: terminals that support it show the change at once, others ignore
   * it.
   */
  private static final String BEGIN_UPDATE = "\u001b[?2026h";

  private static final String END_UPDATE = "\u001b[?2026l";

  /**
   * A read ends after this time, because an endless read would block the closing of the terminal.
   */
  private static final long CLOSE_TIMEOUT_MILLIS = 1000;

  private static final FileOutputStream STANDARD_OUTPUT = new FileOutputStream(FileDescriptor.out);

  private final Terminal terminal;
  private final Attributes before;
  private final Painter painter;
  private final Thread lastResort = new Thread(this::leaveAtShutdown, "midcourse-terminal");
  private Optional<Canvas> shown = Optional.empty();

  /** Guarded by this, because a signal can end the process at any time. */
  private boolean entered;

  private FullScreenTerminal(Terminal terminal, boolean coloured) {
    this.terminal = terminal;
    this.before = terminal.getAttributes();
    this.painter = new Painter(coloured);
  }

  static FullScreenTerminal open(boolean coloured, Runnable onResize) throws IOException {
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .encoding(StandardCharsets.UTF_8)
            .signalHandler(Terminal.SignalHandler.SIG_IGN)
            .build();
    FullScreenTerminal console = new FullScreenTerminal(terminal, coloured);
    Runtime.getRuntime().addShutdownHook(console.lastResort);
    terminal.handle(Terminal.Signal.WINCH, signal -> onResize.run());
    console.enter();
    return console;
  }

  private synchronized void enter() {
    terminal.enterRawMode();
    Attributes raw = terminal.getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, false); // Ctrl-C and Ctrl-Z are read as keys
    terminal.setAttributes(raw);
    write(ENTER);
    entered = true;
    shown = Optional.empty();
  }

  private synchronized void leave() {
    if (entered) {
      entered = false;
      write(LEAVE);
      terminal.setAttributes(before);
    }
  }

  /**
   * Leaves the full-screen mode without JLine, whose own shutdown hook closes the terminal at the
   * same time. Closing it restores the settings, but not the screen.
   */
  private synchronized void leaveAtShutdown() {
    if (!entered) {
      return;
    }
    entered = false;
    try {
      STANDARD_OUTPUT.write(LEAVE.getBytes(StandardCharsets.US_ASCII));
      terminal.setAttributes(before);
    } catch (IOException | IllegalStateException closed) {
      // The terminal is gone, or JLine has restored the settings.
    }
  }

  int rows() {
    int rows = terminal.getSize().getRows();
    return rows > 0 ? rows : 24;
  }

  int columns() {
    int columns = terminal.getSize().getColumns();
    return columns > 0 ? columns : 80;
  }

  Keyboard keyboard() {
    NonBlockingReader reader = terminal.reader();
    return new Keyboard(millis -> reader.read(millis == 0 ? CLOSE_TIMEOUT_MILLIS : millis));
  }

  /** Makes the next draw write the whole screen. */
  synchronized void forget() {
    shown = Optional.empty();
  }

  synchronized void show(Canvas next) {
    if (!entered) {
      return;
    }
    boolean same =
        shown.isPresent()
            && shown.get().rows() == next.rows()
            && shown.get().columns() == next.columns();
    String bytes = same ? painter.change(shown.get(), next) : painter.whole(next);
    if (!bytes.isEmpty()) {
      write(BEGIN_UPDATE + bytes + END_UPDATE);
    }
    shown = Optional.of(next);
  }

  /** Work that needs the terminal in its normal mode, such as an editor. */
  interface Outside<T> {
    T run() throws IOException, InterruptedException;
  }

  <T> T outside(Outside<T> work) throws IOException, InterruptedException {
    leave();
    try {
      return work.run();
    } finally {
      enter();
    }
  }

  private void write(String text) {
    terminal.writer().write(text);
    terminal.writer().flush();
  }

  @Override
  public void close() throws IOException {
    leave();
    terminal.close();
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException e) {
      // The process is already ending, and the hook with it.
    }
  }
}
