package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** Claude Code behind its ACP adapter, which has the extension for steers. */
@Tag("long")
class ClaudeAcpTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("claude-agent-acp");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return ClaudeHome.createForAcp(installed, folder, its)
        .with(Map.of("CLAUDE_CODE_MAX_RETRIES", "1"));
  }

  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings.withDriver("acp");
  }

  @Override
  String ordinaryTool() {
    return "Edit";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }
}
