package dev.midcourse.core.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value as defined by RFC 8259, without extensions: no comments, no trailing commas,
 * no repeated names. Nesting, names and numbers are bounded. Every input gives a value or a {@link
 * JsonException}.
 */
public final class JsonReader {
  static final int MAX_DEPTH = 100;
  static final int MAX_NAME_LENGTH = 50_000;
  static final int MAX_NUMBER_LENGTH = 1000;

  private final String text;
  private final int maxDepth;
  private int at;
  private int depth;

  private JsonReader(String text, int maxDepth) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  public static JsonValue read(String text) {
    return read(text, MAX_DEPTH);
  }

  static JsonValue read(String text, int maxDepth) {
    JsonReader reader = new JsonReader(text, maxDepth);
    JsonValue value = reader.value();
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.expected("the end of the text");
    }
    return value;
  }

  /** Reads a value that must be an object. */
  public static JsonValue.Obj readObject(String text) {
    if (read(text) instanceof JsonValue.Obj object) {
      return object;
    }
    throw new JsonException("line 1, column 1: expected an object");
  }

  private JsonValue value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> new JsonValue.Str(string());
      case 't' -> word("true", new JsonValue.Bool(true));
      case 'f' -> word("false", new JsonValue.Bool(false));
      case 'n' -> word("null", new JsonValue.Null());
      default -> number();
    };
  }

  private JsonValue object() {
    enter();
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    if (!skipEnd('}')) {
      do {
        skipSpace();
        String name = name(fields);
        skipSpace();
        expect(':');
        fields.put(name, value());
      } while (hasNext('}'));
    }
    depth--;
    return new JsonValue.Obj(fields);
  }

  private String name(Map<String, JsonValue> fields) {
    int from = at;
    String name = string();
    if (name.length() > MAX_NAME_LENGTH) {
      throw expected("a name of at most " + MAX_NAME_LENGTH + " characters", from);
    }
    if (fields.containsKey(name)) {
      throw expected("a name that the object does not have yet", from);
    }
    return name;
  }

  private JsonValue array() {
    enter();
    List<JsonValue> values = new ArrayList<>();
    if (!skipEnd(']')) {
      do {
        values.add(value());
      } while (hasNext(']'));
    }
    depth--;
    return new JsonValue.Arr(values);
  }

  private void enter() {
    if (++depth > maxDepth) {
      throw expected("at most " + maxDepth + " levels of nesting");
    }
    at++;
  }

  /** Skips the end of an empty array or object; returns whether it was there. */
  private boolean skipEnd(char end) {
    skipSpace();
    return skip(end);
  }

  /** Skips a comma or the end of the array or object; returns whether it was a comma. */
  private boolean hasNext(char end) {
    skipSpace();
    if (skip(',')) {
      return true;
    }
    if (!skip(end)) {
      throw expected("',' or '" + end + "'");
    }
    return false;
  }

  private JsonValue word(String word, JsonValue value) {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
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
        throw expected("an escape for this control character");
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
        throw expected("a valid escape: one of \" \\ / b f n r t u");
      }
    };
  }

  private char hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hexDigit(peek());
      if (digit < 0) {
        throw expected("four hexadecimal digits");
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

  private JsonValue number() {
    int from = at;
    skip('-');
    if (!skip('0')) {
      skipDigits("a value");
    }
    if (skip('.')) {
      skipDigits("a digit");
    }
    if (skip('e') || skip('E')) {
      if (!skip('+')) {
        skip('-');
      }
      skipDigits("a digit");
    }
    if (at - from > MAX_NUMBER_LENGTH) {
      throw expected("a number of at most " + MAX_NUMBER_LENGTH + " characters", from);
    }
    return new JsonValue.Num(text.substring(from, at));
  }

  private void skipDigits(String wanted) {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw expected(wanted);
    }
  }

  private boolean skip(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw expected("more text");
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw expected("'" + wanted + "'");
    }
    at++;
  }

  private JsonException expected(String wanted) {
    return expected(wanted, at);
  }

  private JsonException expected(String wanted, int position) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < position; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    int column = position - lineStart + 1;
    return new JsonException("line " + line + ", column " + column + ": expected " + wanted);
  }
}
