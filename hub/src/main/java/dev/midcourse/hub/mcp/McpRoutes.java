package dev.midcourse.hub.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.hub.http.route.Route.Raw;
import java.util.List;
import java.util.Map;

/**
 * The streamable HTTP transport of MCP: the reply to a posted message is its answer. There are no
 * sessions and no streams; a request for one is refused.
 */
public final class McpRoutes {
  private static final String JSON = "application/json";
  private static final String EXAMPLE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  private static final String SESSION = "mcp-session-id";
  private static final String VERSION = "mcp-protocol-version";

  private final McpServer server;

  public McpRoutes(McpServer server) {
    this.server = server;
  }

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.post("/mcp", "The Model Context Protocol, for agents that lead others.")
            .takes(Raw.class, new Raw(EXAMPLE))
            .answers(200, "the answer to a request", JSON, "{\"jsonrpc\": \"2.0\"}")
            .answers(202, "a notification was taken", JSON, "{}")
            .by(this::answer));
  }

  private ApiResponse answer(ApiCall<Raw, Nothing> call) throws InterruptedException {
    if (call.header(SESSION).isPresent()) {
      return json(404, McpServer.refusal("there is no such session; begin with initialize"));
    }
    return switch (server.answer(call.caller(), call.header(VERSION), call.body().text())) {
      case McpServer.McpReply.Answer(String text) -> json(200, text);
      case McpServer.McpReply.NoMessage(String text) -> json(400, text);
      case McpServer.McpReply.Taken() -> json(202, "");
    };
  }

  private static ApiResponse json(int status, String text) {
    return new ApiResponse.Bytes(status, JSON, text.getBytes(UTF_8), Map.of());
  }
}
