package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;

/** Gemini CLI, over the Agent Client Protocol. */
class GeminiTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("gemini");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return GeminiHome.create(installed, folder, its);
  }

  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings.withModel(AgentHome.MODEL);
  }

  @Override
  String ordinaryTool() {
    return "replace";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }
}
