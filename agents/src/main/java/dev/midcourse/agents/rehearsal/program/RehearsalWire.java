package dev.midcourse.agents.rehearsal.program;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.Locale;
import java.util.Map;

/**
 * Reads and writes the JSON lines of the program. Usage is written as the total of the process, as
 * most vendors do. All other events are written one to one.
 */
final class RehearsalWire {
  private Usage total = Usage.NOTHING;

  String line(AgentEvent event) {
    return switch (event) {
      case AgentEvent.Started e -> started(e);
      case AgentEvent.SessionNamed e -> line(type("session").with("session", e.session().value()));
      case AgentEvent.PromptAccepted e ->
          line(type("prompt_accepted").with("turn", e.turn()).with("evidence", e.evidence()));
      case AgentEvent.PromptInjected e ->
          line(type("prompt_injected").with("turn", e.turn()).with("evidence", e.evidence()));
      case AgentEvent.TurnStarted e -> line(type("turn_started").with("by_itself", e.byItself()));
      case AgentEvent.Phase e -> line(type("phase").with("name", e.name()));
      case AgentEvent.Said e -> line(type("said").with("text", e.text()));
      case AgentEvent.ToolStarted e -> toolStarted(e);
      case AgentEvent.ToolOutput e ->
          line(type("tool_output").with("call", e.call()).with("line", e.line()));
      case AgentEvent.ToolFinished e ->
          line(
              type("tool_finished")
                  .with("call", e.call())
                  .with("ok", e.ok())
                  .with("summary", e.summary()));
      case AgentEvent.SteerAccepted e ->
          line(steer("steer_accepted", e.steer().value()).with("evidence", e.evidence()));
      case AgentEvent.SteerInjected e ->
          line(steer("steer_injected", e.steer().value()).with("evidence", e.evidence()));
      case AgentEvent.SteerSeen e ->
          line(steer("steer_seen", e.steer().value()).with("evidence", e.evidence()));
      case AgentEvent.SteerNotTaken e ->
          line(steer("steer_not_taken", e.steer().value()).with("reason", e.reason()));
      case AgentEvent.SteerRefused e ->
          line(steer("steer_refused", e.steer().value()).with("reason", e.reason()));
      case AgentEvent.SteerGivenBack e ->
          line(steer("steer_given_back", e.steer().value()).with("given_back", e.givenBack()));
      case AgentEvent.Used e -> used(e.more());
      case AgentEvent.Asked e ->
          line(
              type("asked")
                  .with("ask", e.ask())
                  .with("kind", e.kind().name().toLowerCase(Locale.ROOT))
                  .with("question", e.question())
                  .with("detail", e.detail()));
      case AgentEvent.AskClosed e ->
          line(type("ask_closed").with("ask", e.ask()).with("how", e.how()));
      case AgentEvent.TurnEnded e ->
          line(
              type("turn_ended")
                  .with("how", e.how().name().toLowerCase(Locale.ROOT))
                  .with("reason", e.reason())
                  .with("text", e.text()));
      case AgentEvent.BarrierPassed e -> line(type("barrier_passed").with("name", e.name()));
      case AgentEvent.Waiting e -> line(type("waiting").with("reason", e.reason()));
      case AgentEvent.Garbage e -> e.excerpt().concat("\n");
      case AgentEvent.Exited e -> line(type("exiting").with("code", e.code()));
    };
  }

  /** Parses a line as a command. */
  static RehearsalCommand word(String line) {
    JsonValue.Obj word = read(line);
    return switch (text(word, "type")) {
      case "prompt" -> new RehearsalCommand.Prompt(number(word, "turn"), text(word, "message"));
      case "steer" ->
          new RehearsalCommand.Steer(SteerId.of(text(word, "steer_id")), text(word, "message"));
      case "interrupt" -> new RehearsalCommand.Interrupt();
      case "withdraw" -> new RehearsalCommand.Withdraw(SteerId.of(text(word, "steer_id")));
      case "answer" ->
          new RehearsalCommand.Answer(text(word, "ask"), word.is("allow"), text(word, "why"));
      case "barrier" -> new RehearsalCommand.Barrier(text(word, "name"));
      case "quit" -> new RehearsalCommand.Quit();
      default -> throw new IllegalArgumentException("unknown type: ".concat(text(word, "type")));
    };
  }

  private static String text(JsonValue.Obj word, String name) {
    return word.string(name).orElseThrow(() -> missing(name));
  }

  private static int number(JsonValue.Obj word, String name) {
    return Math.toIntExact(word.number(name).orElseThrow(() -> missing(name)));
  }

  private static IllegalArgumentException missing(String name) {
    return new IllegalArgumentException("missing: ".concat(name));
  }

  static String complaint(String message) {
    return line(type("complaint").with("message", message));
  }

  private static String started(AgentEvent.Started started) {
    return line(
        type("started")
            .with("version", started.version())
            .with("session", started.session().map(SessionId::value)));
  }

  private static String toolStarted(AgentEvent.ToolStarted started) {
    JsonValue.Obj line =
        type("tool_started")
            .with("call", started.call())
            .with("name", started.name())
            .with("summary", started.summary());
    return line(
        started.declaredTimeout().isPresent()
            ? line.with("timeout_seconds", started.declaredTimeout().get().toSeconds())
            : line);
  }

  private String used(Usage more) {
    total = total.plus(more);
    return line(
        type("usage")
            .with("input_tokens", total.inputTokens())
            .with("output_tokens", total.outputTokens())
            .with("micro_dollars", total.microDollars()));
  }

  private static JsonValue.Obj steer(String type, String steer) {
    return type(type).with("steer_id", steer);
  }

  private static JsonValue.Obj type(String type) {
    return JsonValue.object().with("type", type);
  }

  /** Reads an object. Its values must be strings, whole numbers or booleans. */
  static JsonValue.Obj read(String line) {
    JsonValue.Obj object = JsonReader.readObject(line);
    for (Map.Entry<String, JsonValue> field : object.fields().entrySet()) {
      if (!isFlat(field.getValue())) {
        throw new IllegalArgumentException(
            field.getKey().concat(" must be a string, a whole number, true or false"));
      }
    }
    return object;
  }

  private static boolean isFlat(JsonValue value) {
    return value instanceof JsonValue.Str
        || value instanceof JsonValue.Bool
        || (value instanceof JsonValue.Num(String literal) && isWhole(literal));
  }

  private static boolean isWhole(String literal) {
    try {
      Long.parseLong(literal);
      return true;
    } catch (NumberFormatException fractionOrTooLarge) {
      return false;
    }
  }

  /** Returns the object as one line with its line feed. */
  static String line(JsonValue.Obj object) {
    return JsonWriter.compact(object).concat("\n");
  }
}
