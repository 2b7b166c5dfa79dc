package dev.midcourse.agents.opencode;

import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.hosted.AgentEnvironment;
import dev.midcourse.agents.hosted.HostedDriver;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenCode program: its search, its command and its environment. The server listens on this
 * machine only, and requires the password of the attempt.
 */
public final class OpenCodeDriver extends HostedDriver {
  /** The program supports many vendors; the user chooses one in its own settings. */
  private static final ProgramSearch PROGRAM =
      ProgramSearch.npm(
          "opencode",
          "opencode-ai",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME",
          "ANTHROPIC_API_KEY",
          "OPENAI_API_KEY",
          "GEMINI_API_KEY",
          "GROQ_API_KEY",
          "XAI_API_KEY",
          "OPENROUTER_API_KEY",
          "MISTRAL_API_KEY",
          "OPENCODE_API_KEY");

  /** The variable with a configuration that OpenCode merges with those of its files. */
  private static final String CONFIG = "OPENCODE_CONFIG_CONTENT";

  private final AgentSettings settings;
  private final HubEnvironment hub;

  public OpenCodeDriver(ProcessHost host, AgentSettings settings, HubEnvironment hub) {
    super(host);
    this.settings = settings;
    this.hub = hub;
  }

  @Override
  public ProgramLookup find() {
    return PROGRAM.find(settings, hub, OpenCodeVersion::can);
  }

  @Override
  protected AgentCommand command(AttemptSpec spec) {
    if (settings.blockedTools().filter(names -> !names.isEmpty()).isPresent()) {
      throw new IllegalArgumentException(
          "OpenCode is kept from tools by its own settings alone (permission: deny), not by these");
    }
    List<String> words = new ArrayList<>();
    words.addAll(List.of(PROGRAM.command(settings), "serve", "--hostname", "127.0.0.1"));
    words.addAll(List.of("--port", "0"));
    words.addAll(settings.arguments());
    return new AgentCommand(words, environment(spec));
  }

  private Map<String, String> environment(AttemptSpec spec) {
    Map<String, String> environment = new TreeMap<>(PROGRAM.environment(settings, hub));
    environment.put("OPENCODE_DISABLE_AUTOUPDATE", "1");
    environment.put("OPENCODE_SERVER_PASSWORD", OpenCodeIds.of(spec).password());
    spec.tools()
        .ifPresent(server ->
            environment.merge(CONFIG, config(server, "{}"), (before, _) -> config(server, before)));
    return environment;
  }

  /**
   * Adds the server of tools to a configuration in JSON. OpenCode merges this configuration with
   * those of its files.
   */
  private static String config(ToolServer server, String before) {
    ObjectNode config = ProtocolJson.object(before).orElseGet(ProtocolJson::object);
    ObjectNode entry = config.withObject("mcp").putObject(ToolServer.NAME).put("type", "local");
    server.words().forEach(entry.putArray("command")::add);
    ObjectNode variables = entry.putObject("environment");
    new TreeMap<>(server.environment()).forEach(variables::put);
    entry.put("enabled", true).put("timeout", ToolServer.CALL_TIMEOUT.toMillis());
    return config.toString();
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return new OpenCodeRecord(
            PROGRAM.command(settings), AgentEnvironment.of(spec, environment(spec)))
        .holding(session, OpenCodeIds.of(spec), passages);
  }

  @Override
  protected HostedAgent agent(
      AttemptSpec spec, HostedProcess program, OutputCheckpoint from, AgentListener listener) {
    OpenCodeMemo memo =
        from.equals(OutputCheckpoint.START) ? OpenCodeMemo.FRESH : OpenCodeMemo.read(from.memo());
    return new OpenCodeAgent(
        program,
        new OpenCodeStartup(spec, settings.model()),
        new OpenCodeEventLog(OpenCodeIds.of(spec), memo),
        from,
        listener);
  }
}
