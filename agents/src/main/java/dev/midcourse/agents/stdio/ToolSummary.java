package dev.midcourse.agents.stdio;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a tool does or came to, in one short line for people. */
public final class ToolSummary {
  private static final int MAX_LENGTH = 200;

  /** The first of these that a tool's arguments have says what it is about. */
  private static final List<String> TELLING =
      List.of(
          "command",
          "cmd",
          "file_path",
          "filePath",
          "path",
          "pattern",
          "url",
          "query",
          "description",
          "prompt");

  private ToolSummary() {}

  /** What a tool is asked to do. */
  public static String of(JsonNode arguments) {
    return TELLING.stream()
        .map(name -> ProtocolJson.text(arguments, name))
        .filter(text -> !text.isBlank())
        .findFirst()
        .map(ToolSummary::first)
        .orElseGet(() -> arguments.isEmpty() ? "" : first(arguments.toString()));
  }

  /** The first line of a text that is not blank, cut if it is long. */
  public static String first(String text) {
    String line = text.strip().lines().findFirst().orElse("").strip();
    if (line.length() <= MAX_LENGTH) {
      return line;
    }
    int end = Character.isHighSurrogate(line.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return line.substring(0, end) + "…";
  }
}
