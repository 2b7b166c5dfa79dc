package dev.midcourse.cli.watch;

import dev.midcourse.cli.watch.model.Key;
import java.io.IOException;
import java.util.Optional;

/**
 * Parses the input of a terminal into keys. An escape without a following character in a short time
 * is the Escape key. An unknown sequence is skipped as a whole, so that no part of it is read as
 * letters.
 */
final class Keyboard {
  private static final long ESCAPE_TIMEOUT_MILLIS = 100;
  private static final String PASTE_ENDS = "\u001b[201~";
  private static final int MAX_PASTE = 1 << 20;

  /** Source of the terminal's characters. */
  interface Source {
    int OVER = -1;
    int LATE = -2;

    /**
     * Returns the next character; {@link #LATE} if none arrives within this time. 0 means no limit.
     */
    int read(long millis) throws IOException;
  }

  private final Source source;

  Keyboard(Source source) {
    this.source = source;
  }

  /** Blocks until the next key; empty when the terminal was closed. */
  Optional<Key> next() throws IOException {
    int c = source.read(0);
    while (c == Source.LATE) {
      c = source.read(0);
    }
    return c == Source.OVER ? Optional.empty() : Optional.of(key(c));
  }

  private Key key(int c) throws IOException {
    return switch (c) {
      case 0x1b -> escaped();
      case '\r', '\n' -> Key.Named.ENTER;
      case '\t' -> Key.Named.TAB;
      case 0x7f, 0x08 -> Key.Named.BACKSPACE;
      case 0x01 -> Key.Named.HOME;
      case 0x02 -> Key.Named.LEFT;
      case 0x03 -> Key.Named.QUIT;
      case 0x04 -> Key.Named.DELETE;
      case 0x05 -> Key.Named.END;
      case 0x06 -> Key.Named.RIGHT;
      case 0x0c -> Key.Named.REDRAW;
      case 0x0e -> Key.Named.DOWN;
      case 0x10 -> Key.Named.UP;
      case 0x15 -> Key.Named.CLEAR_LINE;
      case 0x17 -> Key.Named.CLEAR_WORD;
      case 0x18 -> Key.Named.EDITOR;
      default -> c < ' ' ? Key.Named.NOTHING : letter(c);
    };
  }

  private Key letter(int c) throws IOException {
    if (!Character.isHighSurrogate((char) c)) {
      return new Key.Typed(String.valueOf((char) c));
    }
    int low = source.read(ESCAPE_TIMEOUT_MILLIS);
    return low < 0 ? Key.Named.NOTHING : new Key.Typed("" + (char) c + (char) low);
  }

  private Key escaped() throws IOException {
    int c = source.read(ESCAPE_TIMEOUT_MILLIS);
    if (c == '[' || c == 'O') {
      return sequence();
    }
    return c < 0 || c == 0x1b ? Key.Named.ESCAPE : Key.Named.NOTHING;
  }

  private Key sequence() throws IOException {
    StringBuilder numbers = new StringBuilder();
    int c = source.read(ESCAPE_TIMEOUT_MILLIS);
    while (c >= 0x20 && c < 0x40) {
      numbers.append((char) c);
      c = source.read(ESCAPE_TIMEOUT_MILLIS);
    }
    return switch (c) {
      case 'A' -> Key.Named.UP;
      case 'B' -> Key.Named.DOWN;
      case 'C' -> Key.Named.RIGHT;
      case 'D' -> Key.Named.LEFT;
      case 'H' -> Key.Named.HOME;
      case 'F' -> Key.Named.END;
      case 'M' -> Key.Named.ENTER;
      case '~' -> numbered(numbers.toString());
      default -> Key.Named.NOTHING;
    };
  }

  private Key numbered(String number) throws IOException {
    return switch (number) {
      case "1", "7" -> Key.Named.HOME;
      case "4", "8" -> Key.Named.END;
      case "3" -> Key.Named.DELETE;
      case "5" -> Key.Named.PAGE_UP;
      case "6" -> Key.Named.PAGE_DOWN;
      case "200" -> pasted();
      default -> Key.Named.NOTHING;
    };
  }

  private Key pasted() throws IOException {
    StringBuilder text = new StringBuilder();
    while (!endsWith(text, PASTE_ENDS) && text.length() < MAX_PASTE) {
      int c = source.read(0);
      if (c == Source.OVER) {
        return new Key.Paste(text.toString());
      }
      if (c >= 0) {
        text.append(c == '\r' ? '\n' : (char) c);
      }
    }
    return new Key.Paste(text.substring(0, Math.max(0, text.length() - PASTE_ENDS.length())));
  }

  private static boolean endsWith(StringBuilder text, String end) {
    return text.length() >= end.length() && text.indexOf(end, text.length() - end.length()) >= 0;
  }
}
