package dev.midcourse.agents.acp;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What an agent can do: what it says itself when it is asked who it is, and what it does not say
 * but was seen to do. Of one that nobody has tried only the protocol's own promises are believed.
 */
final class AcpCapabilities {
  /** Seen to have ended a running tool when they had broken their turn off. */
  private static final Set<String> END_TOOLS =
      Set.of("gemini-cli", "OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Seen to tell what they cost, in sums that grow over the session. */
  private static final Set<String> TELL_COST =
      Set.of("OpenCode", "@agentclientprotocol/claude-agent-acp");

  /** Seen not to find a session again whose turn had been broken off, though they offer it. */
  private static final Set<String> LOSE_SESSIONS = Set.of("gemini-cli");

  /** The capabilities of every agent that follows the protocol. */
  private static final Capabilities PROMISED =
      Capabilities.of(
          Capability.ACCEPTED_EVIDENCE,
          Capability.INTERRUPT,
          Capability.BARRIER,
          Capability.ASKS_PERMISSION);

  private AcpCapabilities() {}

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
    if (TELL_COST.contains(greeting.agent())) {
      all.add(Capability.REPORTS_COST);
    }
    return new Capabilities(all);
  }

  /** Before it has said anything of itself. */
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
