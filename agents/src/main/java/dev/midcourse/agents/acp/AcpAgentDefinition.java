package dev.midcourse.agents.acp;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.stdio.Framing;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.StdioAgentDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A program that speaks the Agent Client Protocol: how it is found, started and asked. */
public record AcpAgentDefinition(AcpProgram program, AgentSettings settings, HubEnvironment hub)
    implements StdioAgentDefinition {

  /** What it can do it says itself when it is up; until then only what all of them can. */
  @Override
  public ProgramLookup find() {
    return program.search().find(settings, hub, _ -> AcpCapabilities.before(program));
  }

  @Override
  public Command command(AttemptSpec spec) {
    List<String> words = new ArrayList<>();
    words.add(program.search().command(settings));
    words.addAll(program.speakAcp());
    if (program.takesModel()) {
      settings.model().ifPresent(model -> words.addAll(List.of("--model", model)));
    }
    words.addAll(settings.arguments());
    Map<String, String> environment = new TreeMap<>(program.variables());
    environment.putAll(hub.forAgent(settings, program.vendorVariables()));
    return new Command(words, environment);
  }

  @Override
  public Framing framing() {
    return Framing.LINES;
  }

  @Override
  public Protocol protocol(AttemptSpec spec) {
    return new AcpProtocol(wishes(spec), new AcpMemo());
  }

  @Override
  public Protocol restore(AttemptSpec spec, String memo) {
    return new AcpProtocol(wishes(spec), AcpMemo.read(memo));
  }

  private AcpSessionOptions wishes(AttemptSpec spec) {
    return new AcpSessionOptions(
        spec.attempt(),
        spec.workspace(),
        spec.resume(),
        settings.permissions() == Permissions.BYPASS,
        program.takesModel() ? Optional.empty() : settings.model());
  }
}
