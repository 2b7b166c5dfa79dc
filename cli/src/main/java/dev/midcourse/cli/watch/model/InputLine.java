package dev.midcourse.cli.watch.model;

/**
 * The text that the user is typing. It may contain line ends that were pasted or come from an
 * editor.
 *
 * @param at where the next character goes, in characters from the beginning
 */
public record InputLine(String text, int at) {
  static InputLine of(String text) {
    return new InputLine(text, text.length());
  }

  /** Returns the line after an editing key; the same line after any other key. */
  InputLine after(Key key) {
    return switch (key) {
      case Key.Typed(String message) -> inserted(message);
      case Key.Paste(String pasted) -> inserted(pasted.strip());
      case Key.Named named -> after(named);
    };
  }

  private InputLine after(Key.Named key) {
    return switch (key) {
      case BACKSPACE -> without(before(), at);
      case DELETE -> without(at, behind());
      case LEFT -> new InputLine(text, before());
      case RIGHT -> new InputLine(text, behind());
      case HOME -> new InputLine(text, 0);
      case END -> of(text);
      case CLEAR_LINE -> without(0, at);
      case CLEAR_WORD -> without(wordBefore(), at);
      case ENTER, ESCAPE, TAB, UP, DOWN, PAGE_UP, PAGE_DOWN, EDITOR, REDRAW, QUIT, NOTHING -> this;
    };
  }

  private InputLine inserted(String more) {
    return new InputLine(text.substring(0, at) + more + text.substring(at), at + more.length());
  }

  private InputLine without(int from, int to) {
    return new InputLine(text.substring(0, from) + text.substring(to), from);
  }

  private int before() {
    return at == 0 ? 0 : text.offsetByCodePoints(at, -1);
  }

  private int behind() {
    return at == text.length() ? at : text.offsetByCodePoints(at, 1);
  }

  private int wordBefore() {
    int from = at;
    while (from > 0 && text.charAt(from - 1) == ' ') {
      from--;
    }
    while (from > 0 && text.charAt(from - 1) != ' ') {
      from--;
    }
    return from;
  }
}
