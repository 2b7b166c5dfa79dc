package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;

/** OpenCode, as a server. */
class OpenCodeTest extends AgentSuite {
  private boolean asking;

  @Override
  AgentName name() {
    return AgentName.of("opencode");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return asking
        ? OpenCodeHome.createAsking(installed, folder, its)
        : OpenCodeHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "websearch";
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }

  /** Whether it asks is written in its own settings. */
  @Override
  AgentSettings askingSettings() {
    asking = true;
    try {
      return super.askingSettings();
    } finally {
      asking = false;
    }
  }
}
