package dev.midcourse.cli.watch.view;

import dev.midcourse.cli.screen.TextColor;

/**
 * The style of a cell.
 *
 * @param chosen whether it is turned to light on dark, which stays without colours
 */
record Style(TextColor color, boolean bold, boolean chosen) {
  static final Style PLAIN = new Style(TextColor.PLAIN, false, false);
  static final Style DIM = of(TextColor.DIM);
  static final Style BOLD = new Style(TextColor.PLAIN, true, false);

  static Style of(TextColor color) {
    return new Style(color, false, false);
  }

  Style asBold() {
    return new Style(color, true, chosen);
  }

  /**
   * Returns the style for the chosen row. Dim text becomes normal there, because it would be hard
   * to read.
   */
  Style asChosen(boolean yes) {
    return yes ? new Style(color == TextColor.DIM ? TextColor.PLAIN : color, bold, true) : this;
  }

  /** Returns the escape sequence that sets this style, whatever was set before. */
  String code(boolean coloured) {
    StringBuilder code = new StringBuilder("\u001b[0");
    if (bold || color == TextColor.BOLD) {
      code.append(";1");
    }
    if (chosen) {
      code.append(";7");
    }
    if (coloured && color != TextColor.PLAIN && color != TextColor.BOLD) {
      code.append(';').append(color.code());
    }
    return code.append('m').toString();
  }
}
