package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Configures Codex by its settings file. Its ACP adapter uses the same home. The folder must not be
 * below the system's temporary folder, because Codex refuses to keep its helper programs there.
 */
public final class CodexHome {
  private CodexHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "codex", folder, lane);
  }

  /** Creates the home of {@code codex-acp}, which starts the {@code codex} beside it. */
  public static AgentHome createForAcp(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "codex-acp", folder, lane);
  }

  private static AgentHome create(AgentPrograms programs, String name, Path folder, Lane lane) {
    return AgentHome.of(programs, name, folder)
        .with(Map.of("SCRIPTED_KEY", AgentHome.KEY))
        .withFile(
            ".codex/config.toml",
            """
            model = "%s"
            model_provider = "scripted"

            [model_providers.scripted]
            name = "scripted"
            base_url = "%s"
            env_key = "SCRIPTED_KEY"
            wire_api = "responses"
            request_max_retries = 1
            stream_max_retries = 1

            [features]
            plugins = false
            """
                .formatted(AgentHome.MODEL, lane.openAiUrl()));
  }

  /**
   * Returns the command for one prompt without sandbox and questions, with events as JSON lines.
   * Standard input must be at its end, because Codex reads an open one to the end first.
   */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(
        home.program().toString(),
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        prompt);
  }
}
