package dev.midcourse.agents.copilot;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.ConversationRecord;
import dev.midcourse.agents.stdio.Framing;
import dev.midcourse.agents.stdio.NamedProgramDefinition;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Copilot program: its search, its command and its environment. If its variables name a model
 * provider, the request that opens the session repeats it, because the headless mode requires that.
 */
public record CopilotDefinition(AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {
  private static final ProgramSearch PROGRAM =
      ProgramSearch.npm(
          "copilot",
          "@github/copilot",
          "COPILOT_GITHUB_TOKEN",
          "COPILOT_HOME",
          "COPILOT_MODEL",
          "COPILOT_OFFLINE",
          "COPILOT_PROVIDER_API_KEY",
          "COPILOT_PROVIDER_BASE_URL",
          "COPILOT_PROVIDER_TYPE",
          "COPILOT_PROVIDER_WIRE_API",
          "GH_HOST",
          "GH_TOKEN",
          "GITHUB_TOKEN");

  @Override
  public ProgramSearch search() {
    return PROGRAM;
  }

  @Override
  public Capabilities capabilities(ProgramVersion version) {
    return CopilotProtocol.CAPABILITIES;
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    List<String> words = new ArrayList<>();
    words.add(program());
    words.addAll(List.of("--headless", "--stdio", "--no-auto-update"));
    if (settings.home() == Home.OWN) {
      // The worker's home contains no login.
      words.add("--no-auto-login");
    }
    words.addAll(settings.arguments());
    return new AgentCommand(words, inheritedEnvironment());
  }

  @Override
  public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    Path home = Path.of(environment.get("HOME"), ".copilot");
    Path folder = Path.of(environment.getOrDefault("COPILOT_HOME", home.toString()));
    return Optional.of(
        new ConversationRecord(
            folder.resolve("session-state"),
            session,
            line -> ProtocolJson.text(line, "type").equals("user.message")));
  }

  @Override
  public Framing framing() {
    return Framing.CONTENT_LENGTH;
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new CopilotProtocol(calls(spec), memo.map(CopilotMemo::read).orElse(CopilotMemo.FRESH));
  }

  private CopilotRequests calls(AttemptSpec spec) {
    Map<String, String> variables = inheritedEnvironment();
    return new CopilotRequests(
        CopilotRequests.session(spec),
        spec.resume().isPresent(),
        spec.workspace(),
        settings.model().or(() -> Optional.ofNullable(variables.get("COPILOT_MODEL"))),
        Provider.of(variables),
        settings.blockedTools().orElse(Set.of()),
        settings.permissions() == Permissions.BYPASS,
        spec.tools());
  }

  /** A model provider other than GitHub, from the variables of Copilot. */
  record Provider(String url, String type, String wire, String key) {
    static Optional<Provider> of(Map<String, String> variables) {
      return Optional.ofNullable(variables.get("COPILOT_PROVIDER_BASE_URL"))
          .map(url ->
              new Provider(
                  url,
                  variables.getOrDefault("COPILOT_PROVIDER_TYPE", "openai"),
                  variables.getOrDefault("COPILOT_PROVIDER_WIRE_API", "completions"),
                  variables.getOrDefault("COPILOT_PROVIDER_API_KEY", "")));
    }
  }
}
