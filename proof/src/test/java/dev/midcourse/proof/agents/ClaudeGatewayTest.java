package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.gateway.driver.ModelAddress;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;

/** Claude Code behind the gateway. */
class ClaudeGatewayTest extends GatewaySuite {
  @Override
  AgentName name() {
    return AgentName.of("claude");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return ClaudeHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "Edit";
  }

  @Override
  ModelAddress model(AgentSettings settings) {
    return ModelAddress.ofClaude(settings.environment());
  }
}
