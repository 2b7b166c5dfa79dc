package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** OpenCode over the Agent Client Protocol, configured like a user's own program. */
@Tag("long")
class OpenCodeAcpTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("opencode-acp");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return OpenCodeHome.createAsking(installed, folder, its);
  }

  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings.withDriver("acp").withArguments(List.of("acp"));
  }

  @Override
  String ordinaryTool() {
    return "edit";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }
}
