package dev.midcourse.channels.irc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One line of the IRC protocol, without its end.
 *
 * @param tags the tags of IRCv3 by name, without their escapes
 * @param source who sent it, such as {@code ann!user@host}; empty if the line names nobody
 * @param command a word in capital letters, or three digits
 */
record IrcLine(
    Map<String, String> tags, Optional<String> source, String command, List<String> params) {
  private static final int MAX_TAGS = 100;
  private static final int MAX_PARAMS = 100;

  IrcLine {
    tags = Map.copyOf(tags);
    params = List.copyOf(params);
  }

  static IrcLine of(String command, String... params) {
    return new IrcLine(Map.of(), Optional.empty(), command, List.of(params));
  }

  IrcLine withTag(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(tags);
    more.put(name, value);
    return new IrcLine(more, source, command, params);
  }

  /** The parameter at this position; an empty text if there are fewer. */
  String param(int at) {
    return at < params.size() ? params.get(at) : "";
  }

  String lastParam() {
    return params.isEmpty() ? "" : params.getLast();
  }

  Optional<String> tag(String name) {
    return Optional.ofNullable(tags.get(name)).filter(value -> !value.isBlank());
  }

  /** The part of the source before {@code !}: the nick of a person, or the name of a server. */
  String nick() {
    String whole = source.orElse("");
    int end = whole.indexOf('!');
    return end < 0 ? whole : whole.substring(0, end);
  }

  /** Reads any text; what is not valid gives an empty command. */
  static IrcLine parse(String text) {
    String rest = text;
    Map<String, String> tags = Map.of();
    if (rest.startsWith("@")) {
      int end = endOfWord(rest);
      tags = parseTags(rest.substring(1, end));
      rest = rest.substring(end).stripLeading();
    }
    Optional<String> source = Optional.empty();
    if (rest.startsWith(":")) {
      int end = endOfWord(rest);
      source = Optional.of(rest.substring(1, end));
      rest = rest.substring(end).stripLeading();
    }
    int end = endOfWord(rest);
    String command = rest.substring(0, end).toUpperCase(Locale.ROOT);
    return new IrcLine(tags, source, command, parseParams(rest.substring(end)));
  }

  private static Map<String, String> parseTags(String text) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String tag : text.split(";", MAX_TAGS)) {
      int equals = tag.indexOf('=');
      String name = equals < 0 ? tag : tag.substring(0, equals);
      if (!name.isEmpty()) {
        tags.put(name, equals < 0 ? "" : unescape(tag.substring(equals + 1)));
      }
    }
    return tags;
  }

  private static List<String> parseParams(String text) {
    List<String> params = new ArrayList<>();
    String rest = skipSpaces(text);
    while (!rest.isEmpty() && params.size() < MAX_PARAMS) {
      if (rest.startsWith(":")) {
        params.add(rest.substring(1));
        return params;
      }
      int end = endOfWord(rest);
      params.add(rest.substring(0, end));
      rest = skipSpaces(rest.substring(end));
    }
    return params;
  }

  private static String skipSpaces(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return text.substring(at);
  }

  private static int endOfWord(String text) {
    int space = text.indexOf(' ');
    return space < 0 ? text.length() : space;
  }

  private static String unescape(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c != '\\') {
        out.append(c);
      } else if (++i < value.length()) {
        out.append(
            switch (value.charAt(i)) {
              case ':' -> ';';
              case 's' -> ' ';
              case 'r' -> '\r';
              case 'n' -> '\n';
              default -> value.charAt(i);
            });
      }
    }
    return out.toString();
  }

  private static String escape(String value) {
    return value
        .replace("\\", "\\\\")
        .replace(";", "\\:")
        .replace(" ", "\\s")
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }

  /**
   * The line as it is sent, without its end.
   *
   * @throws IllegalArgumentException if a parameter would end the line or become another one
   */
  String write() {
    StringBuilder out = new StringBuilder();
    if (!tags.isEmpty()) {
      String prefix = "@";
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        out.append(prefix).append(tag.getKey()).append('=').append(escape(tag.getValue()));
        prefix = ";";
      }
      out.append(' ');
    }
    out.append(command);
    for (int i = 0; i < params.size(); i++) {
      String param = params.get(i);
      boolean isLast = i == params.size() - 1;
      boolean isWord = !param.isEmpty() && !param.startsWith(":") && param.indexOf(' ') < 0;
      if (param.chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0) || (!isLast && !isWord)) {
        throw new IllegalArgumentException("a parameter of " + command + " is not one parameter");
      }
      out.append(isWord && !(isLast && isText()) ? " " : " :").append(param);
    }
    return out.toString();
  }

  /** Whether the last parameter is written with a colon even if it is one word. */
  private boolean isText() {
    return command.equals("PRIVMSG") || command.equals("QUIT");
  }
}
