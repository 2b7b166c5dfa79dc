package dev.midcourse.hub.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.hub.http.Answer;
import dev.midcourse.hub.http.Call;
import dev.midcourse.hub.http.Raw;
import dev.midcourse.hub.http.Route;
import dev.midcourse.hub.http.Route.Nothing;
import java.util.List;
import java.util.Map;

/** The streamable HTTP transport: a message is posted, its answer is the reply. */
public final class McpRoutes {
  private static final String JSON = "application/json";
  private static final String EXAMPLE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

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

  private Answer answer(Call<Raw, Nothing> call) throws InterruptedException {
    return server
        .answer(call.asker(), call.body().text())
        .<Answer>map(text -> new Answer.Bytes(200, JSON, text.getBytes(UTF_8), Map.of()))
        .orElseGet(() -> new Answer.Bytes(202, JSON, new byte[0], Map.of()));
  }
}
