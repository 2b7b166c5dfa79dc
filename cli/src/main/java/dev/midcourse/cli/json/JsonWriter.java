package dev.midcourse.cli.json;

import java.util.Map;

/**
 * Writes JSON: compact on one line, or indented for people. Everything that a terminal could act on
 * is escaped, so the output is safe to look at whatever the strings hold.
 */
public final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private final boolean indented;

  private JsonWriter(boolean indented) {
    this.indented = indented;
  }

  /** On one line. */
  public static String compact(Json json) {
    JsonWriter writer = new JsonWriter(false);
    writer.write(json, 0);
    return writer.out.toString();
  }

  /** A field per line, two spaces for each level. */
  public static String indented(Json json) {
    JsonWriter writer = new JsonWriter(true);
    writer.write(json, 0);
    return writer.out.toString();
  }

  private void write(Json json, int level) {
    switch (json) {
      case Json.Str(String value) -> quote(value);
      case Json.Num(String literal) -> out.append(literal);
      case Json.Bool(boolean value) -> out.append(value);
      case Json.Null() -> out.append("null");
      case Json.Arr array -> array(array, level);
      case Json.Obj object -> object(object, level);
    }
  }

  private void array(Json.Arr array, int level) {
    out.append('[');
    boolean first = true;
    for (Json value : array.values()) {
      next(first, level + 1);
      first = false;
      write(value, level + 1);
    }
    close(']', first, level);
  }

  private void object(Json.Obj object, int level) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<String, Json> field : object.fields().entrySet()) {
      next(first, level + 1);
      first = false;
      quote(field.getKey());
      out.append(indented ? ": " : ":");
      write(field.getValue(), level + 1);
    }
    close('}', first, level);
  }

  private void next(boolean first, int level) {
    if (!first) {
      out.append(',');
    }
    newLine(level);
  }

  private void close(char end, boolean empty, int level) {
    if (!empty) {
      newLine(level);
    }
    out.append(end);
  }

  private void newLine(int level) {
    if (indented) {
      out.append('\n').append("  ".repeat(level));
    }
  }

  private void quote(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (isWhole(value, i) && !Character.isISOControl(c) && !isFormat(c)) {
            out.append(c);
          } else {
            escape(c);
          }
        }
      }
    }
    out.append('"');
  }

  /** Marks that change the order or the look of the text around them; but emoji need the joiner. */
  private static boolean isFormat(char c) {
    return (Character.getType(c) == Character.FORMAT && c != '\u200d')
        || c == '\u2028'
        || c == '\u2029';
  }

  /** Half of a pair without its other half cannot be written as UTF-8. */
  private static boolean isWhole(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    return !Character.isLowSurrogate(c)
        || (at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private void escape(char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit((c >> shift) & 0xF, 16));
    }
  }
}
