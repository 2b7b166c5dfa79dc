package dev.midcourse.proof.agents;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One turn with an agent over the Agent Client Protocol. Every permission request is allowed once.
 */
final class AcpTurn {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final RunningAgent agent;
  private final BufferedReader output;
  private final StringBuilder said = new StringBuilder();
  private int lastId;

  AcpTurn(RunningAgent agent) {
    this.agent = agent;
    this.output = agent.output();
  }

  /** Opens a session, sends the prompt and returns the reason for the end of the turn. */
  String ask(Path workspace, String prompt) throws IOException {
    call(
        "initialize",
        Map.of("protocolVersion", 1, "clientCapabilities", Map.of("terminal", false)));
    var session =
        call("session/new", Map.of("cwd", workspace.toString(), "mcpServers", new String[0]))
            .path("sessionId")
            .asString();
    var text = Map.of("type", "text", "text", prompt);
    return call("session/prompt", Map.of("sessionId", session, "prompt", new Object[] {text}))
        .path("stopReason")
        .asString("");
  }

  String said() {
    return said.toString();
  }

  private JsonNode call(String method, Map<String, Object> parameters) throws IOException {
    int id = ++lastId;
    send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", parameters));
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      var message = MAPPER.readTree(line);
      if (message.has("method")) {
        receive(message);
      } else if (message.has("error")) {
        throw new AssertionError(method + ": " + message.path("error"));
      } else if (message.path("id").asInt(-1) == id) {
        return message.path("result");
      }
    }
    throw new AssertionError("the agent ended during " + method + "\n" + agent.errors());
  }

  private void receive(JsonNode message) throws IOException {
    var update = message.at("/params/update");
    if (update.path("sessionUpdate").asString("").equals("agent_message_chunk")) {
      said.append(update.at("/content/text").asString(""));
    }
    if (message.path("method").asString().equals("session/request_permission")) {
      var once =
          message
              .at("/params/options")
              .valueStream()
              .filter(option -> option.path("kind").asString("").equals("allow_once"))
              .findFirst()
              .orElseThrow();
      var outcome = Map.of("outcome", "selected", "optionId", once.path("optionId").asString());
      send(
          Map.of(
              "jsonrpc", "2.0",
              "id", message.path("id"),
              "result", Map.of("outcome", outcome)));
    }
  }

  private void send(Map<String, Object> message) throws IOException {
    agent.write(MAPPER.writeValueAsString(message));
  }
}
