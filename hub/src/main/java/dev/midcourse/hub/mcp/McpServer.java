package dev.midcourse.hub.mcp;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.contract.Value;
import dev.midcourse.hub.api.HubOperations;
import dev.midcourse.ledger.json.Json;
import dev.midcourse.ledger.json.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Speaks the Model Context Protocol: one JSON-RPC message in, at most one out. Keeps nothing
 * between messages; who asks is known by the door.
 */
public final class McpServer {
  private static final List<String> VERSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
  private static final String INITIALIZE = "initialize";
  private static final int NOT_JSON = -32700;
  private static final int NOT_A_REQUEST = -32600;
  private static final int NO_SUCH_METHOD = -32601;
  private static final int WRONG_PARAMETERS = -32602;
  private static final String INSTRUCTIONS =
      "You lead workers: dispatch_run gives one a task, steer_run corrects it while it works,"
          + " review_run takes the work or has it reworked. Notices of your workers reach you as"
          + " messages; show_run with wait_seconds waits for the end of a run.";

  private final Map<String, Tool> tools;

  /** What becomes of a message. */
  sealed interface Reply {
    /** A request was answered, with a result or with an error. */
    record Answer(String text) implements Reply {}

    /** It was a notification or an answer, which get none. */
    record Taken() implements Reply {}

    /** It was no message that could be taken; says why. */
    record NoMessage(String text) implements Reply {}
  }

  public McpServer(HubOperations operations) {
    this.tools =
        new Tools(operations)
            .all().stream()
                .collect(
                    Collectors.toMap(
                        Tool::name, Function.identity(), (one, _) -> one, LinkedHashMap::new));
  }

  /** An error that belongs to no request. */
  static String refusal(String message) {
    return failure(new Value.Null(), NOT_A_REQUEST, message);
  }

  /**
   * Does what a message asks for.
   *
   * @param version what the client says that was agreed on, if it does
   */
  Reply answer(Asker asker, Optional<String> version, String message) throws InterruptedException {
    Optional<Value> read = JsonText.parse(message);
    if (read.isEmpty()) {
      return new Reply.NoMessage(failure(new Value.Null(), NOT_JSON, "this is not JSON"));
    }
    if (!(read.get() instanceof Value.Fields request)) {
      return new Reply.NoMessage(refusal("one JSON-RPC message, please"));
    }
    Optional<Value> id = request.get("id").filter(value -> !(value instanceof Value.Null));
    Optional<String> method = request.text("method");
    if (method.isEmpty() || id.isEmpty()) {
      boolean answer = request.get("result").isPresent() || request.get("error").isPresent();
      return method.isEmpty() && !answer
          ? new Reply.NoMessage(
              failure(id.orElse(new Value.Null()), NOT_A_REQUEST, "a request has a method"))
          : new Reply.Taken();
    }
    if (!method.get().equals(INITIALIZE) && !version.map(VERSIONS::contains).orElse(true)) {
      return new Reply.NoMessage(
          failure(
              id.get(),
              NOT_A_REQUEST,
              "the versions of the protocol here are " + String.join(", ", VERSIONS)));
    }
    Value.Fields params =
        request.get("params").orElseGet(Value::fields) instanceof Value.Fields fields
            ? fields
            : Value.fields();
    return new Reply.Answer(result(asker, id.get(), method.get(), params));
  }

  private String result(Asker asker, Value id, String method, Value.Fields params)
      throws InterruptedException {
    return switch (method) {
      case INITIALIZE -> success(id, initialize(params));
      case "ping" -> success(id, Value.fields());
      case "tools/list" ->
          success(
              id,
              Value.fields(
                  "tools", new Value.Many(tools.values().stream().map(Tool::listed).toList())));
      case "tools/call" -> call(asker, id, params);
      default -> failure(id, NO_SUCH_METHOD, "there is no method " + method);
    };
  }

  private static Value initialize(Value.Fields params) {
    String version =
        params.text("protocolVersion").filter(VERSIONS::contains).orElseGet(VERSIONS::getFirst);
    return Value.fields(
        "protocolVersion",
        Value.of(version),
        "capabilities",
        Value.fields("tools", Value.fields()),
        "serverInfo",
        Value.fields("name", Value.of("midcourse"), "version", Value.of(Version.NUMBER)),
        "instructions",
        Value.of(INSTRUCTIONS));
  }

  private String call(Asker asker, Value id, Value.Fields params) throws InterruptedException {
    Optional<Tool> tool = params.text("name").map(tools::get);
    if (tool.isEmpty()) {
      return failure(id, WRONG_PARAMETERS, "there is no tool of this name");
    }
    if (!(params.get("arguments").orElseGet(Value::fields) instanceof Value.Fields arguments)) {
      return failure(id, WRONG_PARAMETERS, "arguments must be an object");
    }
    try {
      Object made = tool.get().work().call(asker, new Inputs(arguments));
      return success(id, content(Json.write(made), false));
    } catch (RefusedException refused) {
      return success(id, content(words(refused), true));
    }
  }

  /** A refusal as an agent can mend it: each field with its rule. */
  private static String words(RefusedException refused) {
    return refused.problems().stream()
        .map(McpServer::words)
        .collect(Collectors.joining("\n", "Refused, nothing was changed:\n", ""));
  }

  private static String words(Problem problem) {
    return "- " + problem.field() + ": " + problem.message() + " (rule: " + problem.rule() + ")";
  }

  private static Value content(String text, boolean error) {
    return Value.fields(
        "content",
        new Value.Many(List.of(Value.fields("type", Value.of("text"), "text", Value.of(text)))),
        "isError",
        Value.of(error));
  }

  private static String success(Value id, Value result) {
    return JsonText.write(Value.fields("jsonrpc", Value.of("2.0"), "id", id, "result", result));
  }

  private static String failure(Value id, int code, String message) {
    return JsonText.write(
        Value.fields(
            "jsonrpc",
            Value.of("2.0"),
            "id",
            id,
            "error",
            Value.fields("code", Value.of(code), "message", Value.of(message))));
  }
}
