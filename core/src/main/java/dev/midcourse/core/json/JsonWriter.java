package dev.midcourse.core.json;

import java.util.Map;

/**
 * Writes JSON on one line, or indented for people. Escapes every control and format character, so
 * that a string cannot control the terminal that shows the output.
 */
public final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private final boolean indented;

  private JsonWriter(boolean indented) {
    this.indented = indented;
  }

  /** Writes the value on one line. */
  public static String compact(JsonValue value) {
    JsonWriter writer = new JsonWriter(false);
    writer.write(value, 0);
    return writer.out.toString();
  }

  /** Writes one field or element per line, indented by two spaces per level. */
  public static String indented(JsonValue value) {
    JsonWriter writer = new JsonWriter(true);
    writer.write(value, 0);
    return writer.out.toString();
  }

  private void write(JsonValue value, int level) {
    switch (value) {
      case JsonValue.Str(String text) -> quote(text);
      case JsonValue.Num(String literal) -> out.append(literal);
      case JsonValue.Bool(boolean truth) -> out.append(truth);
      case JsonValue.Null() -> out.append("null");
      case JsonValue.Arr array -> array(array, level);
      case JsonValue.Obj object -> object(object, level);
    }
  }

  private void array(JsonValue.Arr array, int level) {
    out.append('[');
    boolean first = true;
    for (JsonValue value : array.values()) {
      next(first, level + 1);
      first = false;
      write(value, level + 1);
    }
    close(']', first, level);
  }

  private void object(JsonValue.Obj object, int level) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<String, JsonValue> field : object.fields().entrySet()) {
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
          if (isPaired(value, i) && !Character.isISOControl(c) && !isFormat(c)) {
            out.append(c);
          } else {
            escape(c);
          }
        }
      }
    }
    out.append('"');
  }

  /**
   * Format characters can reorder or hide text. The zero-width joiner is allowed: emoji need it.
   */
  private static boolean isFormat(char c) {
    return (Character.getType(c) == Character.FORMAT && c != '\u200d')
        || c == '\u2028'
        || c == '\u2029';
  }

  /**
   * Returns whether this character is no surrogate, or a surrogate with its other half. UTF-8
   * cannot encode a lone surrogate.
   */
  private static boolean isPaired(String text, int at) {
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
