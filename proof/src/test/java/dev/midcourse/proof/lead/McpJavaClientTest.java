package dev.midcourse.proof.lead;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The lead's tools, used by the protocol's own Java client. */
@Tag("slow")
class McpJavaClientTest extends McpSuite {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(JsonMapper.builder().build());

  @Override
  LeadTools connect(McpFixture fixture, Transport transport) throws Exception {
    McpSyncClient client =
        client(
            switch (transport) {
              case STDIO -> stdio(fixture);
              case HTTP -> http(fixture, fixture.token()).build();
            });
    assertThat(client.initialize().serverInfo().name()).isEqualTo("midcourse");
    return new Connected(client);
  }

  @Test
  void a_client_with_none_of_our_versions_gets_ours_and_leaves() throws Exception {
    McpClientTransport future =
        http(fixture(), fixture().token()).supportedProtocolVersions(List.of("2999-01-01")).build();
    try (McpSyncClient client = client(future)) {
      assertThatThrownBy(client::initialize)
          .hasStackTraceContaining("Unsupported protocol version from the server: 2025-11-25");
    }
  }

  @Test
  void a_client_without_the_token_gets_nothing() {
    try (McpSyncClient client = client(http(fixture(), "wrong").build())) {
      assertThatThrownBy(client::initialize).isInstanceOf(RuntimeException.class);
      assertThat(client.isInitialized()).isFalse();
    }
  }

  @Test
  void a_line_that_is_no_message_is_answered_and_the_next_is_read() throws Exception {
    Process program =
        new ProcessBuilder(fixture().command())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader answers = program.inputReader(UTF_8);
        Writer lines = program.outputWriter(UTF_8)) {
      lines.write("{no\n");
      lines.flush();
      assertThat(answers.readLine()).contains("-32700").contains("\"id\":null");
      lines.write("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"dance\"}\n");
      lines.flush();
      assertThat(answers.readLine()).contains("-32601").contains("\"id\":7");
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private static McpSyncClient client(McpClientTransport transport) {
    return McpClient.sync(transport).requestTimeout(TIMEOUT).initializationTimeout(TIMEOUT).build();
  }

  private static McpClientTransport stdio(McpFixture fixture) {
    List<String> command = fixture.command();
    return new StdioClientTransport(
        ServerParameters.builder(command.getFirst())
            .args(command.subList(1, command.size()))
            .build(),
        JSON);
  }

  private static HttpClientStreamableHttpTransport.Builder http(McpFixture fixture, String token) {
    return HttpClientStreamableHttpTransport.builder(fixture.address())
        .endpoint(McpFixture.endpoint())
        .jsonMapper(JSON)
        .addHttpRequestCustomizer(
            (request, _, _, _, _) -> request.header("Authorization", "Bearer " + token));
  }

  private record Connected(McpSyncClient client) implements LeadTools {
    @Override
    public List<String> tools() {
      return client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
    }

    @Override
    public Said call(String tool, Map<String, Object> arguments) throws IOException {
      try {
        McpSchema.CallToolResult result =
            client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
        return new Said(
            Boolean.TRUE.equals(result.isError()),
            ((McpSchema.TextContent) result.content().getFirst()).text());
      } catch (McpError error) {
        throw new NoSuchThing(error.getJsonRpcError().code(), error.getJsonRpcError().message());
      }
    }

    @Override
    public void close() {
      client.closeGracefully();
    }
  }
}
