package dev.midcourse.cli.screen;

/** Colours of a terminal, and none. */
public enum TextColor {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  BLUE("34"),
  CYAN("36");

  private final String code;

  TextColor(String code) {
    this.code = code;
  }

  /** Returns the code of the colour for terminals; blank for the plain colour. */
  public String code() {
    return code;
  }

  /** Returns the text in this colour. */
  String paint(String text) {
    return this == PLAIN || text.isEmpty()
        ? text
        : "\u001b[".concat(code).concat("m").concat(text).concat("\u001b[0m");
  }
}
