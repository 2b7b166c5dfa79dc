package dev.midcourse.cli.watch;

import dev.midcourse.cli.screen.Ink;

/**
 * How a cell looks.
 *
 * @param chosen whether it is turned to light on dark, which stays without colours
 */
record Style(Ink ink, boolean bold, boolean chosen) {
  static final Style PLAIN = new Style(Ink.PLAIN, false, false);
  static final Style DIM = of(Ink.DIM);
  static final Style BOLD = new Style(Ink.PLAIN, true, false);

  static Style of(Ink ink) {
    return new Style(ink, false, false);
  }

  Style asBold() {
    return new Style(ink, true, chosen);
  }

  /** The same on the row that is chosen; what is dim would be hard to read there. */
  Style asChosen(boolean yes) {
    return yes ? new Style(ink == Ink.DIM ? Ink.PLAIN : ink, bold, true) : this;
  }

  /** What turns this style on, whatever was on before. */
  String code(boolean coloured) {
    StringBuilder code = new StringBuilder("\u001b[0");
    if (bold || ink == Ink.BOLD) {
      code.append(";1");
    }
    if (chosen) {
      code.append(";7");
    }
    if (coloured && ink != Ink.PLAIN && ink != Ink.BOLD) {
      code.append(';').append(ink.code());
    }
    return code.append('m').toString();
  }
}
