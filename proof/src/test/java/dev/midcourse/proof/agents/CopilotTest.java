package dev.midcourse.proof.agents;

import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;

/** Copilot, in its headless mode. */
class CopilotTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("copilot");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return CopilotHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "edit";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }

  @Override
  boolean steersWaitForTools() {
    return false;
  }
}
