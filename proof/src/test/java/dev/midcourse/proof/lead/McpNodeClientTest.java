package dev.midcourse.proof.lead;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.midcourse.proof.agents.AgentPrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The lead's tools, used by the npm client with which most agents are built. */
@Tag("agents")
class McpNodeClientTest extends McpSuite {
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  LeadTools connect(McpFixture fixture, Transport transport) throws Exception {
    AgentPrograms programs =
        AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
    List<String> command = new ArrayList<>();
    command.add(programs.program("mcp-client").toString());
    switch (transport) {
      case STDIO -> {
        command.add("stdio");
        command.addAll(fixture.command());
      }
      case HTTP ->
          command.addAll(
              List.of("http", fixture.address() + McpFixture.endpoint(), fixture.token()));
    }
    return new Connected(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** A client program: each line to it is a call, each line from it is the result. */
  private static final class Connected implements LeadTools {
    private final Process process;
    private final Writer requests;
    private final BufferedReader answers;

    Connected(Process process) {
      this.process = process;
      this.requests = process.outputWriter(UTF_8);
      this.answers = process.inputReader(UTF_8);
    }

    @Override
    public List<String> tools() throws IOException {
      return ask(Map.of()).path("tools").valueStream().map(JsonNode::asString).toList();
    }

    @Override
    public Said call(String tool, Map<String, Object> arguments) throws IOException {
      JsonNode said = ask(Map.of("call", tool, "arguments", arguments));
      if (said.has("code")) {
        throw new NoSuchThing(said.path("code").asInt(), said.path("message").asString());
      }
      return new Said(said.path("refused").asBoolean(), said.path("text").asString());
    }

    private JsonNode ask(Map<String, Object> request) throws IOException {
      requests.write(JSON.writeValueAsString(request) + "\n");
      requests.flush();
      String line = answers.readLine();
      if (line == null) {
        throw new IllegalStateException("the client ended by itself");
      }
      return JSON.readTree(line);
    }

    @Override
    public void close() throws IOException, InterruptedException {
      requests.close();
      process.waitFor();
    }
  }
}
