package dev.midcourse.proof.agents;

import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Configures Claude Code by variables alone. Its ACP adapter reads the same variables. */
public final class ClaudeHome {
  private ClaudeHome() {}

  public static AgentHome create(AgentPrograms programs, Path folder, Lane lane) {
    return create(programs, "claude", folder, lane);
  }

  /** Creates the home of {@code claude-agent-acp}, which contains its own Claude Code. */
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
                // As root, Claude Code skips permissions only if this variable declares a sandbox.
                "IS_SANDBOX", "1"));
  }

  /**
   * Returns the command for one prompt with all tools allowed and the last text on standard output.
   */
  public static List<String> oneShot(AgentHome home, String prompt) {
    return List.of(home.program().toString(), "-p", prompt, "--dangerously-skip-permissions");
  }
}
