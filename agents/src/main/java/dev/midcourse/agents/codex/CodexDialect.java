package dev.midcourse.agents.codex;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.program.ProgramSearch;
import dev.midcourse.agents.stdio.ConversationRecord;
import dev.midcourse.agents.stdio.Dialect;
import dev.midcourse.agents.stdio.Framing;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Codex as a program: how it is found, started, and what it gets in its environment.
 *
 * <p>Unless the settings say otherwise it asks before every command that is not known to be
 * harmless, and cannot set itself goals.
 */
public record CodexDialect(AgentSettings settings, HubEnvironment hub) implements Dialect {

  /** The tools it is kept from when the settings do not say. */
  public static final Set<String> BLOCKED = CodexTools.USUALLY_BLOCKED;

  private static final ProgramSearch PROGRAM =
      new ProgramSearch("codex", "npm install -g @openai/codex");

  private static final Set<String> VENDOR_VARIABLES =
      Set.of("CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL");

  @Override
  public Finding find() {
    return PROGRAM.find(settings, hub, CodexVersion::can);
  }

  /** A steer that came while text streams would otherwise throw away what was said so far. */
  @Override
  public Command command(Order order) {
    List<String> words = new ArrayList<>(List.of(PROGRAM.command(settings), "app-server"));
    words.addAll(List.of("--disable", "instant_interrupt"));
    words.addAll(CodexTools.arguments(settings.blockedTools().orElse(BLOCKED)));
    words.addAll(settings.arguments());
    return new Command(words, hub.forAgent(settings, VENDOR_VARIABLES));
  }

  @Override
  public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
    Path home = Path.of(environment.get("HOME"), ".codex");
    Path folder = Path.of(environment.getOrDefault("CODEX_HOME", home.toString()));
    return Optional.of(
        new ConversationRecord(
            folder.resolve("sessions"),
            session,
            line -> Json.text(line.path("payload"), "role").equals("user")));
  }

  @Override
  public Framing framing() {
    return Framing.LINES;
  }

  @Override
  public Protocol protocol(Order order) {
    return new CodexProtocol(calls(order), new CodexMemo());
  }

  @Override
  public Protocol restore(Order order, String memo) {
    return new CodexProtocol(calls(order), CodexMemo.read(memo));
  }

  private CodexCalls calls(Order order) {
    return new CodexCalls(
        order.attempt(),
        order.workspace().toString(),
        order.resume(),
        settings.model(),
        settings.permissions());
  }
}
