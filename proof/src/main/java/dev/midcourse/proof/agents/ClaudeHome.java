package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Claude Code, by variables alone. The same variables serve its ACP adapter. */
public final class ClaudeHome {
  private ClaudeHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "claude", folder, lane);
  }

  /** The home of {@code claude-agent-acp}, which brings a Claude Code of its own. */
  public static AgentHome createForAcp(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "claude-agent-acp", folder, lane);
  }

  private static AgentHome create(AgentPrograms programs, String name, Path folder, Lane lane) {
    return AgentHome.of(programs, name, folder)
        .with(
            Map.of(
                "ANTHROPIC_BASE_URL", lane.url().toString(),
                "ANTHROPIC_API_KEY", AgentHome.KEY,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1",
                "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1",
                "DISABLE_AUTOUPDATER", "1",
                // As root it refuses to skip permissions unless it is told that this is a sandbox.
                "IS_SANDBOX", "1"));
  }

  /** One prompt, all tools allowed, the last words on standard output. */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(home.program().toString(), "-p", prompt, "--dangerously-skip-permissions");
  }
}
