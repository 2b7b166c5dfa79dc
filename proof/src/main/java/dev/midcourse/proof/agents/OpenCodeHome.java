package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Configures OpenCode by its settings file: a Chat Completions provider with prices, all
 * permissions allowed.
 */
public final class OpenCodeHome {
  private OpenCodeHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, folder, lane, "\"allow\"");
  }

  /** Creates a home in which OpenCode must ask before it runs a command. */
  public static AgentHome createAsking(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, folder, lane, "{\"bash\": \"ask\"}");
  }

  private static AgentHome create(
      AgentPrograms programs, Path folder, Lane lane, String permission) {
    return AgentHome.of(programs, "opencode", folder)
        .with(Map.of("OPENCODE_DISABLE_MODELS_FETCH", "1"))
        .withFile(
            ".config/opencode/opencode.json",
            """
            {
              "provider": {
                "scripted": {
                  "npm": "@ai-sdk/openai-compatible",
                  "name": "scripted",
                  "options": {"baseURL": "%2$s", "apiKey": "%3$s"},
                  "models": {
                    "%1$s": {
                      "name": "%1$s",
                      "cost": {"input": 1, "output": 2},
                      "limit": {"context": 200000, "output": 8000}
                    }
                  }
                }
              },
              "model": "scripted/%1$s",
              "small_model": "scripted/%1$s",
              "permission": %4$s,
              "autoupdate": false,
              "share": "disabled"
            }
            """
                .formatted(AgentHome.MODEL, lane.openAiUrl(), AgentHome.KEY, permission));
  }

  /**
   * Returns the command for one prompt, with events as JSON lines. Standard input must be at its
   * end, because OpenCode waits for an open one.
   */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(home.program().toString(), "run", "--format", "json", prompt);
  }
}
