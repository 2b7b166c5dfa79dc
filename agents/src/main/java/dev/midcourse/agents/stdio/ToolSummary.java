package dev.midcourse.agents.stdio;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Describes the input or the result of a tool in one short line for people. */
public final class ToolSummary {
  private static final int MAX_LENGTH = 200;

  /** The names of arguments that describe a tool call, the most useful first. */
  static final List<String> SUMMARY_FIELDS =
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

  /** Summarizes the arguments of a tool call. */
  public static String of(JsonNode arguments) {
    return SUMMARY_FIELDS.stream()
        .map(name -> ProtocolJson.text(arguments, name))
        .filter(text -> !text.isBlank())
        .findFirst()
        .map(ToolSummary::first)
        .orElseGet(() -> arguments.isEmpty() ? "" : first(arguments.toString()));
  }

  /** Summarizes the arguments of a call that a person must allow; tells if it shows only a part. */
  public static String asked(JsonNode arguments) {
    return SUMMARY_FIELDS.stream()
        .map(name -> ProtocolJson.text(arguments, name))
        .filter(text -> !text.isBlank())
        .findFirst()
        .map(ToolSummary::firstOf)
        .orElseGet(() -> of(arguments));
  }

  /** Returns the first line of a text, and the number of lines after it. */
  public static String firstOf(String text) {
    long more = text.strip().lines().count() - 1;
    return first(text) + (more > 0 ? " (+" + more + (more == 1 ? " line)" : " lines)") : "");
  }

  /** Returns the first line of a text that is not blank, cut to 200 characters. */
  public static String first(String text) {
    String line = text.strip().lines().findFirst().orElse("").strip();
    if (line.length() <= MAX_LENGTH) {
      return line;
    }
    int end = Character.isHighSurrogate(line.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return line.substring(0, end) + "…";
  }
}
