package dev.midcourse.ledger.sql.table;

/** Ranges of ids by their beginning, so that an index answers. */
final class Ranges {
  private Ranges() {}

  /** Behind every id that begins with the prefix: ids are made of characters before this one. */
  static String after(String prefix) {
    return prefix + '\u007F';
  }
}
