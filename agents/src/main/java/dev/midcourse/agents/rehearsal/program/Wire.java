package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Spent;
import java.util.Locale;
import java.util.Map;

/**
 * The lines the program reads and writes. Usage is told as what the process has used so far, as
 * most vendors do; all else is an event word for word.
 */
final class Wire {
  private Spent total = Spent.NOTHING;

  String line(AgentEvent event) {
    return switch (event) {
      case AgentEvent.Started e -> started(e);
      case AgentEvent.SessionNamed e -> type("session").put("session", e.session().value()).line();
      case AgentEvent.PromptAccepted e ->
          type("prompt_accepted").put("turn", e.turn()).put("evidence", e.evidence()).line();
      case AgentEvent.PromptInjected e ->
          type("prompt_injected").put("turn", e.turn()).put("evidence", e.evidence()).line();
      case AgentEvent.TurnStarted e -> type("turn_started").put("by_itself", e.byItself()).line();
      case AgentEvent.Phase e -> type("phase").put("name", e.name()).line();
      case AgentEvent.Said e -> type("said").put("text", e.text()).line();
      case AgentEvent.ToolStarted e -> toolStarted(e);
      case AgentEvent.ToolOutput e ->
          type("tool_output").put("call", e.call()).put("line", e.line()).line();
      case AgentEvent.ToolFinished e ->
          type("tool_finished")
              .put("call", e.call())
              .put("ok", e.ok())
              .put("summary", e.summary())
              .line();
      case AgentEvent.SteerAccepted e ->
          steer("steer_accepted", e.steer().value()).put("evidence", e.evidence()).line();
      case AgentEvent.SteerInjected e ->
          steer("steer_injected", e.steer().value()).put("evidence", e.evidence()).line();
      case AgentEvent.SteerSeen e ->
          steer("steer_seen", e.steer().value()).put("evidence", e.evidence()).line();
      case AgentEvent.SteerNotTaken e ->
          steer("steer_not_taken", e.steer().value()).put("reason", e.reason()).line();
      case AgentEvent.SteerRefused e ->
          steer("steer_refused", e.steer().value()).put("reason", e.reason()).line();
      case AgentEvent.SteerGivenBack e ->
          steer("steer_given_back", e.steer().value()).put("given_back", e.givenBack()).line();
      case AgentEvent.Used e -> used(e.more());
      case AgentEvent.Asked e ->
          type("asked")
              .put("ask", e.ask())
              .put("kind", e.kind().name().toLowerCase(Locale.ROOT))
              .put("question", e.question())
              .put("detail", e.detail())
              .line();
      case AgentEvent.AskClosed e ->
          type("ask_closed").put("ask", e.ask()).put("how", e.how()).line();
      case AgentEvent.TurnEnded e ->
          type("turn_ended")
              .put("how", e.how().name().toLowerCase(Locale.ROOT))
              .put("reason", e.reason())
              .put("text", e.text())
              .line();
      case AgentEvent.BarrierPassed e -> type("barrier_passed").put("name", e.name()).line();
      case AgentEvent.Waiting e -> type("waiting").put("reason", e.reason()).line();
      case AgentEvent.Garbage e -> e.excerpt().concat("\n");
      case AgentEvent.Exited e -> type("exiting").put("code", e.code()).line();
    };
  }

  /** What a line tells the agent. */
  static Word word(String line) {
    Map<String, Object> word = Json.parse(line);
    return switch (text(word, "type")) {
      case "prompt" -> new Word.Prompt(number(word, "turn"), text(word, "message"));
      case "steer" -> new Word.Steer(SteerId.of(text(word, "steer_id")), text(word, "message"));
      case "interrupt" -> new Word.Interrupt();
      case "withdraw" -> new Word.Withdraw(SteerId.of(text(word, "steer_id")));
      case "answer" ->
          new Word.Answer(
              text(word, "ask"), Boolean.TRUE.equals(word.get("allow")), text(word, "why"));
      case "barrier" -> new Word.Barrier(text(word, "name"));
      case "quit" -> new Word.Quit();
      default -> throw new IllegalArgumentException("unknown type: ".concat(text(word, "type")));
    };
  }

  private static String text(Map<String, Object> word, String name) {
    if (word.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("missing: ".concat(name));
  }

  private static int number(Map<String, Object> word, String name) {
    if (word.get(name) instanceof Long number) {
      return Math.toIntExact(number);
    }
    throw new IllegalArgumentException("missing: ".concat(name));
  }

  static String complaint(String message) {
    return type("complaint").put("message", message).line();
  }

  private static String started(AgentEvent.Started started) {
    Json.Writer line = type("started").put("version", started.version());
    if (started.session().isPresent()) {
      line.put("session", started.session().get().value());
    }
    return line.line();
  }

  private static String toolStarted(AgentEvent.ToolStarted started) {
    Json.Writer line =
        type("tool_started")
            .put("call", started.call())
            .put("name", started.name())
            .put("summary", started.summary());
    if (started.declaredTimeout().isPresent()) {
      line.put("timeout_seconds", started.declaredTimeout().get().toSeconds());
    }
    return line.line();
  }

  private String used(Spent more) {
    total = total.plus(more);
    return type("usage")
        .put("input_tokens", total.inputTokens())
        .put("output_tokens", total.outputTokens())
        .put("micro_dollars", total.microDollars())
        .line();
  }

  private static Json.Writer steer(String type, String steer) {
    return type(type).put("steer_id", steer);
  }

  private static Json.Writer type(String type) {
    return new Json.Writer().put("type", type);
  }
}
