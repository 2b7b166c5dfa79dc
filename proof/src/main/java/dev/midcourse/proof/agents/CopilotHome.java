package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Configures Copilot by variables alone, without a GitHub login. Its headless mode ignores the
 * provider variables and needs the same provider in {@code session.create}.
 */
public final class CopilotHome {
  private CopilotHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return AgentHome.of(programs, "copilot", folder)
        .with(
            Map.of(
                "COPILOT_OFFLINE",
                "true",
                "COPILOT_AUTO_UPDATE",
                "false",
                "COPILOT_HOME",
                folder.resolve(".copilot").toString(),
                "COPILOT_MODEL",
                AgentHome.MODEL,
                "COPILOT_PROVIDER_TYPE",
                "openai",
                "COPILOT_PROVIDER_WIRE_API",
                "completions",
                "COPILOT_PROVIDER_BASE_URL",
                lane.openAiUrl().toString(),
                "COPILOT_PROVIDER_API_KEY",
                AgentHome.KEY));
  }

  /**
   * Returns the command for one prompt with all tools allowed, no questions, and events as JSON
   * lines.
   */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(
        home.program().toString(),
        "-p",
        prompt,
        "--allow-all",
        "--no-ask-user",
        "--output-format",
        "json");
  }
}
