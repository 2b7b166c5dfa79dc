package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.Json;
import dev.midcourse.core.agent.Capabilities;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What an agent can do: what it says itself when it is asked who it is, and what it does not say
 * but was seen to do. Of one that nobody has tried only the protocol's own promises are believed.
 */
final class AcpFacts {
  /** Seen to have ended a running tool when they had broken their turn off. */
  private static final Set<String> END_TOOLS =
      Set.of("gemini-cli", "OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Seen to tell what they cost, in sums that grow over the session. */
  private static final Set<String> TELL_COST =
      Set.of("OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Seen not to find a session again whose turn had been broken off, though they offer it. */
  private static final Set<String> LOSE_SESSIONS = Set.of("gemini-cli");

  private AcpFacts() {}

  /** Whether the extension for steers is there; there is none in the protocol itself. */
  static boolean steering(JsonNode greeting) {
    return greeting.at("/_meta/steering/supported").asBoolean(false);
  }

  /** Resumes without telling the whole conversation again. */
  static boolean resumes(JsonNode greeting) {
    return greeting.at("/agentCapabilities/sessionCapabilities/resume").isObject();
  }

  /** Loads a session, telling all of it again. */
  static boolean loads(JsonNode greeting) {
    return greeting.at("/agentCapabilities/loadSession").asBoolean(false);
  }

  static Capabilities of(AcpMemo memo) {
    return capabilities(
        memo.steering,
        END_TOOLS.contains(memo.agent),
        (memo.resumes || memo.loads) && !LOSE_SESSIONS.contains(memo.agent),
        TELL_COST.contains(memo.agent));
  }

  /** Before it has said anything of itself. */
  static Capabilities before(AcpProgram program) {
    boolean gemini = program.equals(AcpProgram.GEMINI);
    return capabilities(false, gemini, false, false);
  }

  static String version(JsonNode greeting) {
    String version = Json.text(greeting.path("agentInfo"), "version");
    return version.isEmpty() ? "unknown" : version;
  }

  private static Capabilities capabilities(
      boolean steering, boolean endsTools, boolean resume, boolean cost) {
    return new Capabilities(
        steering, true, false, false, true, endsTools, false, false, resume, true, cost, false,
        true);
  }
}
