package dev.midcourse.cli.watch.model;

/** A key press or a paste. */
public sealed interface Key {

  /** A typed character. */
  record Typed(String text) implements Key {}

  /** Pasted text, which is never read as keys. */
  record Paste(String text) implements Key {}

  /** A key that is no character. */
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
