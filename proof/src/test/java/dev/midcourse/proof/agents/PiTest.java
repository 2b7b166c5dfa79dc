package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;

/** pi, in its rpc mode. */
class PiTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("pi");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return PiHome.create(installed, folder, its);
  }

  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings.withArguments(PiHome.modelArguments());
  }

  @Override
  String ordinaryTool() {
    return "edit";
  }

  @Override
  boolean asks() {
    return false;
  }

  @Override
  Set<String> usuallyBlocked() {
    return Set.of();
  }
}
