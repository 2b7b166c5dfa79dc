package dev.midcourse.agents.acp;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.stdio.Dialect;
import dev.midcourse.agents.stdio.Framing;
import dev.midcourse.agents.stdio.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A program that speaks the Agent Client Protocol: how it is found, started and asked. */
public record AcpDialect(AcpProgram program, AgentSettings settings, HubEnvironment hub)
    implements Dialect {

  /** What it can do it says itself when it is up; until then only what all of them can. */
  @Override
  public Finding find() {
    return program.search().find(settings, hub, _ -> AcpFacts.before(program));
  }

  @Override
  public Command command(Order order) {
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
  public Protocol protocol(Order order) {
    return new AcpProtocol(wishes(order), new AcpMemo());
  }

  @Override
  public Protocol restore(Order order, String memo) {
    return new AcpProtocol(wishes(order), AcpMemo.read(memo));
  }

  private AcpWishes wishes(Order order) {
    return new AcpWishes(
        order.attempt(),
        order.workspace(),
        order.resume(),
        settings.permissions() == Permissions.BYPASS,
        program.takesModel() ? Optional.empty() : settings.model());
  }
}
