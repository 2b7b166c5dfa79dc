package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.stdio.MemoJson;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protocol of the rehearsal agent. The memo is the usage that the agent has reported so far,
 * because the agent reports totals and {@link AgentEvent.Used} has differences.
 */
final class RehearsalProtocol implements Protocol {
  private final Capabilities can;
  private Usage usedSoFar;

  private RehearsalProtocol(Capabilities can, Usage usedSoFar) {
    this.can = can;
    this.usedSoFar = usedSoFar;
  }

  static RehearsalProtocol fresh(Capabilities can) {
    return new RehearsalProtocol(can, Usage.NOTHING);
  }

  static RehearsalProtocol restore(Capabilities can, String memo) {
    return new RehearsalProtocol(can, MemoJson.read(memo, Usage.class));
  }

  @Override
  public String memo() {
    return MemoJson.write(usedSoFar);
  }

  @Override
  public List<String> prompt(int turn, String message) {
    return say("prompt", word -> word.put("turn", turn).put("message", message));
  }

  @Override
  public List<String> steer(SteerId steer, String message) {
    return say("steer", word -> word.put("steer_id", steer.value()).put("message", message));
  }

  @Override
  public List<String> interrupt() {
    return say("interrupt", word -> word);
  }

  @Override
  public List<String> withdraw(SteerId steer) {
    return say("withdraw", word -> word.put("steer_id", steer.value()));
  }

  /**
   * The agent asks only for permission, so an answer in text counts as a denial with the text as
   * its reason.
   */
  @Override
  public List<String> answer(String ask, AskAnswer answer) {
    String why =
        switch (answer) {
          case AskAnswer.Allow() -> "";
          case AskAnswer.Deny(String reason) -> reason;
          case AskAnswer.Words(String text) -> text;
        };
    boolean allow = answer instanceof AskAnswer.Allow;
    return say("answer", word -> word.put("ask", ask).put("allow", allow).put("why", why));
  }

  @Override
  public List<String> barrier(String name) {
    return say("barrier", word -> word.put("name", name));
  }

  @Override
  public List<String> endSession() {
    return say("quit", word -> word);
  }

  private interface Fields {
    ObjectNode of(ObjectNode word);
  }

  private static List<String> say(String type, Fields fields) {
    return List.of(fields.of(ProtocolJson.object().put("type", type)).toString());
  }

  @Override
  public ProtocolOutput read(String message) {
    return ProtocolJson.object(message)
        .flatMap(this::event)
        .map(ProtocolOutput::of)
        .orElseGet(() -> ProtocolOutput.garbage(message));
  }

  private Optional<AgentEvent> event(JsonNode word) {
    return Optional.ofNullable(
        switch (text(word, "type")) {
          case "started" ->
              new AgentEvent.Started(
                  text(word, "version"), can, Optional.of(SessionId.of(text(word, "session"))));
          case "prompt_accepted" ->
              new AgentEvent.PromptAccepted(word.path("turn").asInt(), text(word, "evidence"));
          case "prompt_injected" ->
              new AgentEvent.PromptInjected(word.path("turn").asInt(), text(word, "evidence"));
          case "turn_started" -> new AgentEvent.TurnStarted(word.path("by_itself").asBoolean());
          case "phase" -> new AgentEvent.Phase(text(word, "name"));
          case "said" -> new AgentEvent.Said(text(word, "text"));
          case "tool_started" ->
              new AgentEvent.ToolStarted(
                  text(word, "call"), text(word, "name"), text(word, "summary"), timeout(word));
          case "tool_output" -> new AgentEvent.ToolOutput(text(word, "call"), text(word, "line"));
          case "tool_finished" ->
              new AgentEvent.ToolFinished(
                  text(word, "call"), word.path("ok").asBoolean(), text(word, "summary"));
          case "steer_accepted" ->
              new AgentEvent.SteerAccepted(steer(word), text(word, "evidence"));
          case "steer_injected" ->
              new AgentEvent.SteerInjected(steer(word), text(word, "evidence"));
          case "steer_not_taken" -> new AgentEvent.SteerNotTaken(steer(word), text(word, "reason"));
          case "steer_refused" -> new AgentEvent.SteerRefused(steer(word), text(word, "reason"));
          case "steer_given_back" ->
              new AgentEvent.SteerGivenBack(steer(word), word.path("given_back").asBoolean());
          case "usage" -> used(spent(word));
          case "asked" ->
              new AgentEvent.Asked(
                  text(word, "ask"),
                  AskKind.valueOf(text(word, "kind").toUpperCase(Locale.ROOT)),
                  text(word, "question"),
                  text(word, "detail"));
          case "ask_closed" -> new AgentEvent.AskClosed(text(word, "ask"), text(word, "how"));
          case "turn_ended" ->
              new AgentEvent.TurnEnded(
                  TurnEnd.valueOf(text(word, "how").toUpperCase(Locale.ROOT)),
                  text(word, "reason"),
                  text(word, "text"));
          case "barrier_passed" -> new AgentEvent.BarrierPassed(text(word, "name"));
          default -> null;
        });
  }

  private AgentEvent used(Usage now) {
    Usage more =
        new Usage(
            now.inputTokens() - usedSoFar.inputTokens(),
            now.outputTokens() - usedSoFar.outputTokens(),
            now.microDollars() - usedSoFar.microDollars());
    usedSoFar = now;
    return new AgentEvent.Used(more);
  }

  private static Usage spent(JsonNode word) {
    return new Usage(
        word.path("input_tokens").asLong(),
        word.path("output_tokens").asLong(),
        word.path("micro_dollars").asLong());
  }

  private static Optional<Duration> timeout(JsonNode word) {
    return word.has("timeout_seconds")
        ? Optional.of(Duration.ofSeconds(word.path("timeout_seconds").asLong()))
        : Optional.empty();
  }

  private static SteerId steer(JsonNode word) {
    return SteerId.of(text(word, "steer_id"));
  }

  private static String text(JsonNode word, String field) {
    return ProtocolJson.text(word, field);
  }
}
