package dev.midcourse.agents.claude;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ToolServer;
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
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Claude Code program: its search, its command and its environment.
 *
 * <p>By default, Claude Code asks before an action that the user's own settings do not allow. By
 * default, it does not get the tools that need a person at the keyboard, and the tools that start
 * work after the turn has ended.
 *
 * <p>The tools of Midcourse are added to the servers of the user's own settings, and need no
 * permission.
 */
public record ClaudeDefinition(AgentSettings settings, HubEnvironment hub)
    implements NamedProgramDefinition {

  /** The tools that do not work unattended. */
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
  public Capabilities capabilities(ProgramVersion version) {
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
    spec.tools().ifPresent(server -> words.addAll(toolArguments(server)));
    words.addAll(settings.arguments());
    Set<String> blocked = settings.blockedTools().orElse(BLOCKED);
    if (!blocked.isEmpty()) {
      words.add("--disallowedTools");
      blocked.stream().sorted().forEach(words::add);
    }
    return new AgentCommand(words, environment());
  }

  /**
   * Without {@code alwaysLoad}, the model would have to search for the tools before it can use
   * them.
   */
  private static List<String> toolArguments(ToolServer server) {
    ObjectNode config = ProtocolJson.object();
    ObjectNode entry = config.putObject("mcpServers").putObject(ToolServer.NAME);
    entry.put("type", "stdio").put("command", server.command()).put("alwaysLoad", true);
    server.arguments().forEach(entry.putArray("args")::add);
    ObjectNode variables = entry.putObject("env");
    new TreeMap<>(server.environment()).forEach(variables::put);
    return List.of("--mcp-config", config.toString(), "--allowedTools", "mcp__" + ToolServer.NAME);
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    environment.put("DISABLE_AUTOUPDATER", "1");
    if (settings.permissions() == AgentSettings.Permissions.BYPASS) {
      // Claude Code refuses this mode to root without the variable. The user has chosen it in the
      // settings.
      environment.put("IS_SANDBOX", "1");
    }
    environment.putAll(inheritedEnvironment());
    return environment;
  }

  /**
   * The record also lists queued messages. They are not part of the conversation yet, so the filter
   * leaves them out.
   */
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
