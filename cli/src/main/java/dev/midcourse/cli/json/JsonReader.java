package dev.midcourse.cli.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value as RFC 8259 has it and nothing more: no comments, no trailing commas, no
 * repeated names, no deeper than {@link #DEEPEST}. Whatever the input, it ends with a value or a
 * {@link JsonException}.
 */
public final class JsonReader {
  static final int DEEPEST = 100;

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  public static Json read(String text) {
    JsonReader reader = new JsonReader(text);
    Json value = reader.value();
    reader.space();
    if (reader.at < text.length()) {
      throw reader.wrong("the end");
    }
    return value;
  }

  /** A value that has to be an object. */
  public static Json.Obj readObject(String text) {
    if (read(text) instanceof Json.Obj object) {
      return object;
    }
    throw new JsonException("expected an object");
  }

  private Json value() {
    space();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> new Json.Str(string());
      case 't' -> word("true", new Json.Bool(true));
      case 'f' -> word("false", new Json.Bool(false));
      case 'n' -> word("null", new Json.Null());
      default -> number();
    };
  }

  private Json object() {
    enter();
    Map<String, Json> fields = new LinkedHashMap<>();
    if (!closes('}')) {
      do {
        space();
        String name = string();
        space();
        expect(':');
        if (fields.put(name, value()) != null) {
          throw wrong("a name that is not there yet");
        }
      } while (goesOn('}'));
    }
    depth--;
    return new Json.Obj(fields);
  }

  private Json array() {
    enter();
    List<Json> values = new ArrayList<>();
    if (!closes(']')) {
      do {
        values.add(value());
      } while (goesOn(']'));
    }
    depth--;
    return new Json.Arr(values);
  }

  private void enter() {
    at++;
    if (++depth > DEEPEST) {
      throw wrong("at most " + DEEPEST + " levels");
    }
  }

  /** Whether the container is empty: it closes where its first value could begin. */
  private boolean closes(char end) {
    space();
    if (peek() != end) {
      return false;
    }
    at++;
    return true;
  }

  /** Whether another value follows. */
  private boolean goesOn(char end) {
    space();
    if (peek() == ',') {
      at++;
      return true;
    }
    expect(end);
    return false;
  }

  private Json word(String word, Json value) {
    if (!text.startsWith(word, at)) {
      throw wrong("a value");
    }
    at += word.length();
    return value;
  }

  private String string() {
    expect('"');
    int from = at;
    while (at < text.length() && isPlain(text.charAt(at))) {
      at++;
    }
    if (peek() == '"') {
      return text.substring(from, at++);
    }
    StringBuilder out = new StringBuilder(text.substring(from, at));
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c == '\\') {
        out.append(escaped());
      } else if (c < ' ') {
        at--;
        throw wrong("no control character in a string");
      } else {
        out.append(c);
      }
    }
    at++;
    return out.toString();
  }

  private static boolean isPlain(char c) {
    return c != '"' && c != '\\' && c >= ' ';
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> {
        at--;
        throw wrong("an escape that JSON has");
      }
    };
  }

  private char hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hexDigit(peek());
      if (digit < 0) {
        throw wrong("four hexadecimal digits");
      }
      value = value * 16 + digit;
      at++;
    }
    return (char) value;
  }

  /** ASCII only, unlike {@link Character#digit}. */
  private static int hexDigit(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  private Json number() {
    int from = at;
    skip('-');
    if (!skip('0')) {
      digits("a value");
    }
    if (skip('.')) {
      digits("a digit");
    }
    if (skip('e') || skip('E')) {
      if (!skip('+')) {
        skip('-');
      }
      digits("a digit");
    }
    return new Json.Num(text.substring(from, at));
  }

  private void digits(String wanted) {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw wrong(wanted);
    }
  }

  private boolean skip(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private void space() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "'");
    }
    at++;
  }

  private JsonException wrong(String wanted) {
    return new JsonException("at character " + at + ": expected " + wanted);
  }
}
