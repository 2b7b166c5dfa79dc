package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The capabilities of an agent: those that the agent reports in its answer to {@code initialize},
 * and those that were measured. For an agent that was not measured, only the capabilities that the
 * protocol promises and the agent reports are assumed.
 */
final class AcpCapabilities {
  /** Agents that were measured to end the running tool when they interrupt their turn. */
  private static final Set<String> END_TOOLS =
      Set.of("gemini-cli", "OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Agents that were measured to report their cost, as a sum that grows over the session. */
  private static final Set<String> REPORT_COST =
      Set.of("OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Agents that offer to resume but were measured to lose a session after an interrupted turn. */
  private static final Set<String> LOSE_SESSIONS = Set.of("gemini-cli");

  /** The capabilities of every agent that follows the protocol. */
  private static final Capabilities PROMISED =
      Capabilities.of(
          Capability.ACCEPTED_EVIDENCE,
          Capability.INTERRUPT,
          Capability.BARRIER,
          Capability.ASKS_PERMISSION);

  private AcpCapabilities() {}

  /** Whether the agent offers the extension for steers. The protocol itself has no steers. */
  static boolean steering(JsonNode greeting) {
    return greeting.at("/_meta/steering/supported").asBoolean(false);
  }

  /** Whether the agent resumes a session without repeating the conversation. */
  static boolean resumes(JsonNode greeting) {
    return greeting.at("/agentCapabilities/sessionCapabilities/resume").isObject();
  }

  /** Whether the agent loads a session and repeats the whole conversation. */
  static boolean loads(JsonNode greeting) {
    return greeting.at("/agentCapabilities/loadSession").asBoolean(false);
  }

  static Capabilities of(AcpMemo.Greeting greeting) {
    Set<Capability> all = EnumSet.copyOf(PROMISED.all());
    if (greeting.steering()) {
      all.add(Capability.MID_TURN_STEER);
    }
    if (END_TOOLS.contains(greeting.agent())) {
      all.add(Capability.INTERRUPT_ENDS_TOOLS);
    }
    if ((greeting.resumes() || greeting.loads()) && !LOSE_SESSIONS.contains(greeting.agent())) {
      all.add(Capability.RESUME);
    }
    if (REPORT_COST.contains(greeting.agent())) {
      all.add(Capability.REPORTS_COST);
    }
    return new Capabilities(all);
  }

  /** The capabilities before the agent has reported its own. */
  static Capabilities before(AcpProgram program) {
    return program.equals(AcpProgram.GEMINI)
        ? PROMISED.with(Capability.INTERRUPT_ENDS_TOOLS)
        : PROMISED;
  }

  static String version(JsonNode greeting) {
    String version = ProtocolJson.text(greeting.path("agentInfo"), "version");
    return version.isEmpty() ? "unknown" : version;
  }
}
