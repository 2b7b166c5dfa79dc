package dev.midcourse.cli.watch.model;

/** Something pressed on a keyboard. */
public sealed interface Key {

  /** A character as it is typed. */
  record Letter(String text) implements Key {}

  /** Text that was pasted, which is never taken for keys. */
  record Paste(String text) implements Key {}

  /** What is no character. */
  enum Named implements Key {
    ENTER,
    ESCAPE,
    TAB,
    BACKSPACE,
    DELETE,
    UP,
    DOWN,
    LEFT,
    RIGHT,
    HOME,
    END,
    PAGE_UP,
    PAGE_DOWN,
    CLEAR_LINE,
    CLEAR_WORD,
    EDITOR,
    REDRAW,
    QUIT,
    NOTHING
  }
}
