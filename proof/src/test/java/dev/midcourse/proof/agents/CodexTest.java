package dev.midcourse.proof.agents;

import dev.midcourse.agents.codex.CodexDefinition;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.Set;

/** Codex, as an app server. */
class CodexTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("codex");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return CodexHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "view_image";
  }

  @Override
  Set<String> usuallyBlocked() {
    return CodexDefinition.BLOCKED;
  }
}
