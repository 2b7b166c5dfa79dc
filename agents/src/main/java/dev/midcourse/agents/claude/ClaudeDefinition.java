package dev.midcourse.agents.claude;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.program.Version;
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
import java.util.TreeMap;

/**
 * Claude Code as a program: how it is found, started, and what it gets in its environment.
 *
 * <p>Unless the settings say otherwise it asks before it does what its user's own settings do not
 * allow, and is not offered the tools that need somebody at the keyboard or that start work when
 * nobody listens.
 */
public record ClaudeDefinition(AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {

  /** The tools that cannot work unattended. */
  public static final Set<String> BLOCKED =
      Set.of(
          "AskUserQuestion",
          "EnterPlanMode",
          "ExitPlanMode",
          "EnterWorktree",
          "ExitWorktree",
          "CronCreate",
          "CronDelete",
          "CronList",
          "ScheduleWakeup");

  private static final ProgramSearch PROGRAM =
      ProgramSearch.npm(
          "claude",
          "@anthropic-ai/claude-code",
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_AUTH_TOKEN",
          "ANTHROPIC_BASE_URL",
          "ANTHROPIC_CUSTOM_HEADERS",
          "ANTHROPIC_MODEL",
          "CLAUDE_CODE_OAUTH_TOKEN",
          "CLAUDE_CONFIG_DIR");

  @Override
  public ProgramSearch search() {
    return PROGRAM;
  }

  @Override
  public Capabilities capabilities(Version version) {
    return ClaudeVersion.can(version);
  }

  @Override
  public AgentCommand command(AttemptSpec spec) {
    List<String> words = new ArrayList<>();
    words.add(program());
    words.addAll(List.of("-p", "--input-format", "stream-json", "--output-format", "stream-json"));
    words.addAll(List.of("--verbose", "--replay-user-messages"));
    String session = ClaudeMessages.of(spec).session().value();
    words.addAll(List.of(spec.resume().isPresent() ? "--resume" : "--session-id", session));
    settings.model().ifPresent(model -> words.addAll(List.of("--model", model)));
    words.addAll(
        switch (settings.permissions()) {
          case ASK -> List.of("--permission-prompt-tool", "stdio");
          case BYPASS -> List.of("--dangerously-skip-permissions");
        });
    words.addAll(settings.arguments());
    Set<String> blocked = settings.blockedTools().orElse(BLOCKED);
    if (!blocked.isEmpty()) {
      words.add("--disallowedTools");
      blocked.stream().sorted().forEach(words::add);
    }
    return new AgentCommand(words, environment());
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    environment.put("DISABLE_AUTOUPDATER", "1");
    if (settings.permissions() == AgentSettings.Permissions.BYPASS) {
      // To root it otherwise refuses; who chose this has said that it may do everything here.
      environment.put("IS_SANDBOX", "1");
    }
    environment.putAll(inheritedEnvironment());
    return environment;
  }

  /** Its record also has what waits in its queue, which is no part of the conversation yet. */
  @Override
  public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    Path home = Path.of(environment.get("HOME"), ".claude");
    Path folder = Path.of(environment.getOrDefault("CLAUDE_CONFIG_DIR", home.toString()));
    return Optional.of(
        new ConversationRecord(
            folder.resolve("projects"),
            session,
            line -> Set.of("user", "attachment").contains(ProtocolJson.text(line, "type"))));
  }

  @Override
  public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
    return new ClaudeProtocol(
        ClaudeMessages.of(spec),
        memo.map(ClaudeMemo::read).orElseGet(() -> ClaudeMemo.fresh(spec.resume().isPresent())));
  }
}
