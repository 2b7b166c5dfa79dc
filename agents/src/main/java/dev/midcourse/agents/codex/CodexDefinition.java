package dev.midcourse.agents.codex;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.sandbox.Sandbox;
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
import java.util.Set;

/**
 * The Codex program: its search, its command and its environment.
 *
 * <p>By default, Codex asks before every command that is not known to be harmless, and cannot set
 * goals for itself.
 */
public record CodexDefinition(AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {

  /** The tools that are blocked by default. */
  public static final Set<String> BLOCKED = CodexTools.BLOCKED_BY_DEFAULT;

  private static final ProgramSearch PROGRAM =
      ProgramSearch.npm(
          "codex",
          "@openai/codex",
          "CODEX_HOME",
          "CODEX_API_KEY",
          "OPENAI_API_KEY",
          "OPENAI_BASE_URL");

  @Override
  public ProgramSearch search() {
    return PROGRAM;
  }

  @Override
  public Capabilities capabilities(ProgramVersion version) {
    return CodexVersion.can(version);
  }

  /**
   * Disables {@code instant_interrupt}: with it, a steer that arrives while text streams discards
   * the text so far.
   */
  @Override
  public AgentCommand command(AttemptSpec spec) {
    List<String> words = new ArrayList<>(List.of(program(), "app-server"));
    words.addAll(List.of("--disable", "instant_interrupt"));
    words.addAll(CodexTools.arguments(settings.blockedTools().orElse(BLOCKED)));
    spec.tools().ifPresent(server -> words.addAll(CodexTools.serverArguments(server)));
    words.addAll(settings.arguments());
    return new AgentCommand(words, inheritedEnvironment());
  }

  @Override
  public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    Path home = Path.of(environment.get("HOME"), ".codex");
    Path folder = Path.of(environment.getOrDefault("CODEX_HOME", home.toString()));
    return Optional.of(
        new ConversationRecord(
            folder.resolve("sessions"),
            session,
            line -> ProtocolJson.text(line.path("payload"), "role").equals("user")));
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new CodexProtocol(calls(spec), memo.map(CodexMemo::read).orElse(CodexMemo.FRESH));
  }

  private CodexRequests calls(AttemptSpec spec) {
    return new CodexRequests(
        spec.attempt(),
        spec.workspace().toString(),
        spec.resume(),
        settings.model(),
        settings.permissions(),
        spec.confinement().sandbox() instanceof Sandbox.None
            ? CodexRequests.CommandSandbox.OF_CODEX
            : CodexRequests.CommandSandbox.OF_WORKER);
  }
}
