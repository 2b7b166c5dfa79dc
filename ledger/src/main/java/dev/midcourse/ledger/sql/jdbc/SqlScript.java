package dev.midcourse.ledger.sql.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits an SQL script into statements and removes the comments. A statement ends with a semicolon;
 * a comment goes from {@code --} to the end of the line. Neither has a meaning inside {@code '…'},
 * {@code "…"} and {@code $$…$$}. Block comments and other dollar quotes are not supported.
 */
final class SqlScript {
  private static final List<String> QUOTES = List.of("'", "\"", "$$");

  private final String text;
  private final List<String> statements = new ArrayList<>();
  private final StringBuilder current = new StringBuilder();
  private int at;

  private SqlScript(String text) {
    this.text = text;
  }

  /** The statements in their order, without their semicolons. */
  static List<String> statements(String text) {
    SqlScript script = new SqlScript(text);
    script.split();
    return script.statements;
  }

  private void split() {
    while (at < text.length()) {
      if (text.startsWith("--", at)) {
        at = indexOrEnd('\n');
      } else if (text.startsWith("/*", at)) {
        throw new IllegalArgumentException("a migration must not contain a block comment: " + text);
      } else if (text.charAt(at) == ';') {
        endStatement();
        at++;
      } else {
        QUOTES.stream()
            .filter(quote -> text.startsWith(quote, at))
            .findFirst()
            .ifPresentOrElse(this::copyQuoted, () -> copyTo(at + 1));
      }
    }
    endStatement();
  }

  /** A doubled quote inside a literal ends one quoted part and begins the next. */
  private void copyQuoted(String quote) {
    int end = text.indexOf(quote, at + quote.length());
    if (end < 0) {
      throw new IllegalArgumentException(
          "a migration must close the quote " + quote + " that begins at: " + text.substring(at));
    }
    copyTo(end + quote.length());
  }

  private void copyTo(int end) {
    current.append(text, at, end);
    at = end;
  }

  private int indexOrEnd(char c) {
    int found = text.indexOf(c, at);
    return found < 0 ? text.length() : found;
  }

  private void endStatement() {
    if (!current.toString().isBlank()) {
      statements.add(current.toString().strip());
    }
    current.setLength(0);
  }
}
