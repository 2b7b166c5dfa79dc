package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Configures Gemini CLI by variables and a settings file that selects login by key. */
public final class GeminiHome {
  private GeminiHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return AgentHome.of(programs, "gemini", folder)
        .with(
            Map.of(
                "GOOGLE_GEMINI_BASE_URL",
                lane.url().toString(),
                "GEMINI_API_KEY",
                AgentHome.KEY,
                "GEMINI_CLI_TRUST_WORKSPACE",
                "true",
                // Without this variable a second process does the work, and the first ignores
                // signals.
                "GEMINI_CLI_NO_RELAUNCH",
                "true"))
        .withFile(
            ".gemini/settings.json",
            """
            {
              "security": {"auth": {"selectedType": "gemini-api-key"}},
              "general": {"enableAutoUpdate": false, "maxAttempts": 2},
              "privacy": {"usageStatisticsEnabled": false}
            }
            """);
  }

  /** Returns the arguments that select the scripted model, in any mode. */
  public static List<String> modelArguments() {
    return List.of("--model", AgentHome.MODEL);
  }

  /**
   * Returns the command for one prompt with all tools allowed and the model's text on standard
   * output.
   */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(home.program().toString(), "-p", prompt, "--yolo", "--model", AgentHome.MODEL);
  }
}
