package dev.midcourse.agents.pi;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.stdio.ConversationRecord;
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

/**
 * The pi program: its search, its command and its environment. pi has no permission requests: it
 * does everything without asking, whatever the settings say.
 */
public record PiDefinition(AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {
  /** The program supports many vendors; the user chooses one in its own settings. */
  private static final ProgramSearch PROGRAM =
      ProgramSearch.npm(
          "pi",
          "@earendil-works/pi-coding-agent",
          "PI_CODING_AGENT_DIR",
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_OAUTH_TOKEN",
          "OPENAI_API_KEY",
          "GEMINI_API_KEY",
          "GROQ_API_KEY",
          "CEREBRAS_API_KEY",
          "XAI_API_KEY",
          "OPENROUTER_API_KEY",
          "MISTRAL_API_KEY",
          "ZAI_API_KEY");

  @Override
  public ProgramSearch search() {
    return PROGRAM;
  }

  @Override
  public Capabilities capabilities(ProgramVersion version) {
    return PiVersion.can(version);
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    List<String> words = new ArrayList<>(List.of(program(), "--mode", "rpc"));
    spec.resume().ifPresent(session -> words.addAll(List.of("--session", session.value())));
    settings.model().ifPresent(model -> words.addAll(List.of("--model", model)));
    settings
        .blockedTools()
        .filter(names -> !names.isEmpty())
        .map(names -> String.join(",", names.stream().sorted().toList()))
        .ifPresent(names -> words.addAll(List.of("--exclude-tools", names)));
    words.addAll(settings.arguments());
    return new AgentCommand(words, inheritedEnvironment());
  }

  @Override
  public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    Path home = Path.of(environment.get("HOME"), ".pi", "agent");
    Path folder = Path.of(environment.getOrDefault("PI_CODING_AGENT_DIR", home.toString()));
    return Optional.of(
        new ConversationRecord(
            folder.resolve("sessions"),
            session,
            line -> ProtocolJson.text(line.path("message"), "role").equals("user")));
  }

  /**
   * pi does not report its version in the conversation, so the version is read before the start.
   */
  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new PiProtocol(memo.map(PiMemo::read).orElseGet(() -> PiMemo.fresh(version())));
  }

  private ProgramVersion version() {
    return switch (find()) {
      case ProgramLookup.Found found -> ProgramVersion.in(found.version());
      case ProgramLookup.Missing _, ProgramLookup.Broken _ -> ProgramVersion.UNKNOWN;
    };
  }
}
