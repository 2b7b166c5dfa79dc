package dev.midcourse.agents.acp;

import dev.midcourse.agents.program.ProgramSearch;
import java.util.List;
import java.util.Map;

/**
 * The search and the start of one program that implements the Agent Client Protocol.
 *
 * @param speakAcp the arguments that make the program use the protocol
 * @param takesModel whether the program takes the model as an argument, {@code --model}
 * @param variables the variables that the program needs in its environment
 */
public record AcpProgram(
    ProgramSearch search,
    List<String> speakAcp,
    boolean takesModel,
    Map<String, String> variables) {

  /**
   * Gemini CLI. Without the variable, a second process does the work and the first process ignores
   * signals.
   */
  public static final AcpProgram GEMINI =
      new AcpProgram(
          ProgramSearch.npm(
              "gemini",
              "@google/gemini-cli",
              "GEMINI_API_KEY",
              "GEMINI_MODEL",
              "GOOGLE_API_KEY",
              "GOOGLE_APPLICATION_CREDENTIALS",
              "GOOGLE_CLOUD_LOCATION",
              "GOOGLE_CLOUD_PROJECT",
              "GOOGLE_GEMINI_BASE_URL",
              "GOOGLE_GENAI_USE_VERTEXAI"),
          List.of("--acp"),
          true,
          Map.of("GEMINI_CLI_NO_RELAUNCH", "true"));

  /** A program of the user's own. The settings name the program and its arguments. */
  public static final AcpProgram OWN =
      new AcpProgram(
          ProgramSearch.ofSettings(
              "set command to a program that speaks the Agent Client Protocol"),
          List.of(),
          false,
          Map.of());
}
