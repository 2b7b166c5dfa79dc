package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Codex, by its settings file. The same home serves its ACP adapter. The folder must not be below
 * the system's temporary folder: Codex refuses to keep its helper programs there.
 */
public final class CodexHome {
  private CodexHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "codex", folder, lane);
  }

  /** The home of {@code codex-acp}, which starts the {@code codex} beside it. */
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
   * One prompt, no sandbox, no questions, events as JSON lines. Its standard input must be at its
   * end: it reads an open one to the end before it begins.
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
