package dev.midcourse.hub.mcp;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.schedule.ScheduleOperations;
import dev.midcourse.ledger.json.JsonCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Handles messages of the Model Context Protocol: one JSON-RPC message in, at most one out. It has
 * no state between messages; the endpoint identifies the caller.
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

  private final List<McpTool> leadTools;
  private final List<McpTool> commonTools;
  private final List<McpTool> chatTools;
  private final Map<String, McpTool> tools;
  private final AgentChatOperations chats;

  /** The result of a message. */
  sealed interface McpReply {
    /** A request was answered, with a result or with an error. */
    record Answer(String text) implements McpReply {}

    /** The message was a notification or a response, which have no reply. */
    record Taken() implements McpReply {}

    /** The message could not be accepted; the text says why. */
    record NoMessage(String text) implements McpReply {}
  }

  public McpServer(
      HubOperations operations, ScheduleOperations schedules, AgentChatOperations chats) {
    this.chats = chats;
    this.leadTools = new McpTools(operations).all();
    this.commonTools = new ScheduleTools(schedules).all();
    this.chatTools = new ChatTools(chats).all();
    this.tools =
        Stream.of(leadTools, commonTools, chatTools)
            .flatMap(List::stream)
            .collect(
                Collectors.toMap(
                    McpTool::name, Function.identity(), (one, _) -> one, LinkedHashMap::new));
  }

  /** Returns an error that belongs to no request. */
  static String refusal(String message) {
    return failure(new JsonValue.Null(), NOT_A_REQUEST, message);
  }

  /**
   * Handles a message.
   *
   * @param version the protocol version that the client names, if any
   */
  McpReply answer(Caller caller, Optional<String> version, String message)
      throws InterruptedException {
    Optional<JsonValue> read = JsonInput.parse(message);
    if (read.isEmpty()) {
      return new McpReply.NoMessage(failure(new JsonValue.Null(), NOT_JSON, "this is not JSON"));
    }
    if (!(read.get() instanceof JsonValue.Obj request)) {
      return new McpReply.NoMessage(refusal("one JSON-RPC message, please"));
    }
    Optional<JsonValue> id = request.get("id").filter(value -> !(value instanceof JsonValue.Null));
    Optional<String> method = request.string("method");
    if (method.isEmpty() || id.isEmpty()) {
      boolean answer = request.get("result").isPresent() || request.get("error").isPresent();
      return method.isEmpty() && !answer
          ? new McpReply.NoMessage(
              failure(id.orElse(new JsonValue.Null()), NOT_A_REQUEST, "a request has a method"))
          : new McpReply.Taken();
    }
    if (!method.get().equals(INITIALIZE) && !version.map(VERSIONS::contains).orElse(true)) {
      return new McpReply.NoMessage(
          failure(
              id.get(),
              NOT_A_REQUEST,
              "the versions of the protocol here are " + String.join(", ", VERSIONS)));
    }
    JsonValue.Obj params =
        request.get("params").orElseGet(JsonValue::object) instanceof JsonValue.Obj fields
            ? fields
            : JsonValue.object();
    return new McpReply.Answer(result(caller, id.get(), method.get(), params));
  }

  private String result(Caller caller, JsonValue id, String method, JsonValue.Obj params)
      throws InterruptedException {
    return switch (method) {
      case INITIALIZE -> success(id, initialize(caller, params));
      case "ping" -> success(id, JsonValue.object());
      case "tools/list" ->
          success(
              id,
              JsonValue.object()
                  .with("tools", new JsonValue.Arr(offered(caller).map(McpTool::listed).toList())));
      case "tools/call" -> call(caller, id, params);
      default -> failure(id, NO_SUCH_METHOD, "there is no method " + method);
    };
  }

  /**
   * The tools that are of use to the caller. An agent of a conversation that leads nobody gets no
   * tools of a lead; only agents of conversations get tools for chats.
   */
  private Stream<McpTool> offered(Caller caller) {
    boolean inChat = chats.isOffered(caller);
    Stream<McpTool> lead =
        inChat && caller instanceof Caller.Worker ? Stream.empty() : leadTools.stream();
    return Stream.of(
            lead, commonTools.stream(), inChat ? chatTools.stream() : Stream.<McpTool>empty())
        .flatMap(Function.identity());
  }

  private String instructions(Caller caller) {
    if (!chats.isOffered(caller)) {
      return INSTRUCTIONS;
    }
    return caller instanceof Caller.Worker
        ? ChatTools.INSTRUCTIONS
        : ChatTools.INSTRUCTIONS + " " + INSTRUCTIONS;
  }

  private JsonValue initialize(Caller caller, JsonValue.Obj params) {
    String version =
        params.string("protocolVersion").filter(VERSIONS::contains).orElseGet(VERSIONS::getFirst);
    return JsonValue.object()
        .with("protocolVersion", version)
        .with("capabilities", JsonValue.object().with("tools", JsonValue.object()))
        .with(
            "serverInfo",
            JsonValue.object().with("name", "midcourse").with("version", Version.NUMBER))
        .with("instructions", instructions(caller));
  }

  private String call(Caller caller, JsonValue id, JsonValue.Obj params)
      throws InterruptedException {
    Optional<McpTool> tool = params.string("name").map(tools::get);
    if (tool.isEmpty()) {
      return failure(id, WRONG_PARAMETERS, "there is no tool of this name");
    }
    if (!(params.get("arguments").orElseGet(JsonValue::object)
        instanceof JsonValue.Obj arguments)) {
      return failure(id, WRONG_PARAMETERS, "arguments must be an object");
    }
    try {
      Object made = tool.get().work().call(caller, new ObjectReader(arguments));
      return success(id, content(JsonCodec.write(made), false));
    } catch (RefusedException refused) {
      return success(id, content(describe(refused), true));
    }
  }

  /** Returns a refusal that an agent can act on: each field with its rule. */
  private static String describe(RefusedException refused) {
    return refused.problems().stream()
        .map(McpServer::describe)
        .collect(Collectors.joining("\n", "Refused, nothing was changed:\n", ""));
  }

  private static String describe(Problem problem) {
    return "- " + problem.field() + ": " + problem.message() + " (rule: " + problem.rule() + ")";
  }

  private static JsonValue content(String text, boolean error) {
    return JsonValue.object()
        .with(
            "content",
            new JsonValue.Arr(List.of(JsonValue.object().with("type", "text").with("text", text))))
        .with("isError", error);
  }

  private static String success(JsonValue id, JsonValue result) {
    return JsonWriter.compact(
        JsonValue.object().with("jsonrpc", "2.0").with("id", id).with("result", result));
  }

  private static String failure(JsonValue id, int code, String message) {
    return JsonWriter.compact(
        JsonValue.object()
            .with("jsonrpc", "2.0")
            .with("id", id)
            .with("error", JsonValue.object().with("code", code).with("message", message)));
  }
}
