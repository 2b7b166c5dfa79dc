package dev.midcourse.agents.acp;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.NamedProgramDefinition;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.core.agent.Capabilities;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program that implements the Agent Client Protocol: its search, its command and its protocol.
 */
public record AcpAgentDefinition(AcpProgram kind, AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {

  /**
   * Returns the capabilities that every agent of the protocol has. A running agent reports its own.
   */
  @Override
  public Capabilities capabilities(ProgramVersion version) {
    return AcpCapabilities.before(kind);
  }

  @Override
  public ProgramSearch search() {
    return kind.search();
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    List<String> words = new ArrayList<>();
    words.add(program());
    words.addAll(kind.speakAcp());
    if (kind.takesModel()) {
      settings.model().ifPresent(model -> words.addAll(List.of("--model", model)));
    }
    words.addAll(settings.arguments());
    Map<String, String> environment = new TreeMap<>(kind.variables());
    environment.putAll(inheritedEnvironment());
    return new AgentCommand(words, environment);
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new AcpProtocol(options(spec), memo.map(AcpMemo::read).orElse(AcpMemo.FRESH));
  }

  private AcpSetup.SessionOptions options(AttemptSpec spec) {
    return new AcpSetup.SessionOptions(
        spec.attempt(),
        spec.workspace(),
        spec.resume(),
        settings.permissions() == Permissions.BYPASS,
        kind.takesModel() ? Optional.empty() : settings.model(),
        spec.tools());
  }
}
