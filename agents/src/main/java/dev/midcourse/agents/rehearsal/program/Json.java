package dev.midcourse.agents.rehearsal.program;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Flat JSON objects of strings, whole numbers and booleans, one per line: all that this program
 * reads and writes. A JSON library would take three times as long to load as the program.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** One object being written, field by field. */
  static final class Writer {
    private final StringBuilder out = new StringBuilder(128).append('{');

    Writer put(String name, String value) {
      name(name);
      quote(value);
      return this;
    }

    Writer put(String name, long value) {
      name(name).append(value);
      return this;
    }

    Writer put(String name, boolean value) {
      name(name).append(value);
      return this;
    }

    /** The object as one line with its end. */
    String line() {
      return out.append("}\n").toString();
    }

    private StringBuilder name(String name) {
      if (out.length() > 1) {
        out.append(',');
      }
      quote(name);
      return out.append(':');
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
            if (c < 0x20 || Character.isSurrogate(c)) {
              out.append("\\u");
              for (int shift = 12; shift >= 0; shift -= 4) {
                out.append(Character.forDigit((c >> shift) & 0xF, 16));
              }
            } else {
              out.append(c);
            }
          }
        }
      }
      out.append('"');
    }
  }

  /** Values are {@code String}, {@code Long} or {@code Boolean}. */
  static Map<String, Object> parse(String line) {
    Json json = new Json(line);
    Map<String, Object> object = json.object();
    json.space();
    if (json.at != line.length()) {
      throw json.wrong("nothing after the object");
    }
    return object;
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    expect('{');
    if (peek() == '}') {
      at++;
      return object;
    }
    while (true) {
      String name = string();
      expect(':');
      object.put(name, value());
      if (peek() == '}') {
        at++;
        return object;
      }
      expect(',');
    }
  }

  private Object value() {
    char first = peek();
    if (first == '"') {
      return string();
    }
    if (text.startsWith("true", at)) {
      at += 4;
      return true;
    }
    if (text.startsWith("false", at)) {
      at += 5;
      return false;
    }
    int from = at;
    while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '-')) {
      at++;
    }
    try {
      return Long.valueOf(text.substring(from, at));
    } catch (NumberFormatException neither) {
      throw wrong("a string, a whole number, true or false");
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return out.toString();
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> hex();
      default -> throw wrong("an escape that JSON has");
    };
  }

  private char hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(next(), 16);
      if (digit < 0) {
        throw wrong("four hexadecimal digits");
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  private char next() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at++);
  }

  private char peek() {
    space();
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong(String.valueOf(wanted));
    }
    at++;
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException wrong(String wanted) {
    return new IllegalArgumentException("at character " + at + ": expected " + wanted);
  }
}
