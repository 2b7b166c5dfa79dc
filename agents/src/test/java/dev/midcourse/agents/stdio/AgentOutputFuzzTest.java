package dev.midcourse.agents.stdio;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.acp.AcpAgentDefinition;
import dev.midcourse.agents.acp.AcpProgram;
import dev.midcourse.agents.claude.ClaudeDefinition;
import dev.midcourse.agents.codex.CodexDefinition;
import dev.midcourse.agents.copilot.CopilotDefinition;
import dev.midcourse.agents.pi.PiDefinition;
import dev.midcourse.core.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever an agent prints, its protocol either understands it or says that it does not, and what
 * it remembers can be read by the next hub. As an ordinary test it plays the examples; {@code
 * JAZZER_FUZZ=1} makes it look for others.
 */
@Tag("fuzz")
final class AgentOutputFuzzTest {
  private static final AgentSettings SETTINGS = AgentSettings.defaults();
  private static final HubEnvironment HUB = new HubEnvironment(Map.of());
  private static final String STEER = "11111111-2222-4333-8444-555555555555";
  private static final AttemptSpec ORDER =
      new AttemptSpec(
          RunId.of("some-run"),
          1,
          "mark",
          Path.of("folder"),
          Path.of("home"),
          Path.of("workspace"),
          Optional.empty(),
          Map.of());

  @MethodSource("claudeLines")
  @FuzzTest(maxDuration = "2m")
  void claude(@NotNull List<@NotNull String> lines) {
    read(new ClaudeDefinition(SETTINGS, HUB), lines);
  }

  @MethodSource("rpcLines")
  @FuzzTest(maxDuration = "2m")
  void codex(@NotNull List<@NotNull String> lines) {
    read(new CodexDefinition(SETTINGS, HUB), lines);
  }

  @MethodSource("rpcLines")
  @FuzzTest(maxDuration = "2m")
  void copilot(@NotNull List<@NotNull String> lines) {
    read(new CopilotDefinition(SETTINGS, HUB), lines);
  }

  @MethodSource("rpcLines")
  @FuzzTest(maxDuration = "2m")
  void acp(@NotNull List<@NotNull String> lines) {
    read(new AcpAgentDefinition(AcpProgram.GEMINI, SETTINGS, HUB), lines);
  }

  @MethodSource("piLines")
  @FuzzTest(maxDuration = "2m")
  void pi(@NotNull List<@NotNull String> lines) {
    read(new PiDefinition(SETTINGS, HUB), lines);
  }

  /** Reads like {@link StdioAgent}: an exception of a protocol is reported as garbage. */
  private static void read(StdioAgentDefinition definition, List<String> lines) {
    Protocol protocol = definition.protocol(ORDER, Optional.empty());
    for (String line : lines) {
      try {
        protocol.read(line);
      } catch (RuntimeException garbage) {
        // Reported as garbage; the memo must be valid nevertheless.
      }
      protocol = definition.protocol(ORDER, Optional.of(protocol.memo()));
    }
  }

  static Stream<Arguments> claudeLines() {
    return examples(
        """
        {"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1.325"}
        {"type":"system","subtype":"command_lifecycle","uuid":"x","state":"queued"}
        {"type":"assistant","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use",\
        "id":"c","name":"Bash","input":{"command":"ls","timeout":1e99}}]}}
        {"type":"user","uuid":"%1$s","isReplay":true,"message":{"content":"x"}}
        {"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool",\
        "tool_name":"Bash","input":[]}}
        {"type":"result","subtype":"success","result":7,"usage":{"input_tokens":"many"}}
        """);
  }

  static Stream<Arguments> rpcLines() {
    return examples(
        """
        {"jsonrpc":"2.0","id":"hello","result":{"userAgent":"codex/0.99.0","protocolVersion":1}}
        {"id":"thread","result":{"thread":{"id":"t-1"}}}
        {"id":"session","result":{"sessionId":"s-1","models":{"availableModels":7}}}
        {"id":"steer:%1$s","result":{}}
        {"id":"steer:nobody","error":{"code":"what","message":[]}}
        {"id":"prompt:9999999999999","result":{"stopReason":{}}}
        {"method":"turn/started","params":{"threadId":"t-1","turn":{"id":3}}}
        {"method":"item/started","params":{"threadId":"t-1","item":{"type":"userMessage",\
        "clientId":"nobody"}}}
        {"method":"item/started","params":{"threadId":"t-1","item":{"type":"userMessage",\
        "clientId":"prompt:x"}}}
        {"method":"thread/tokenUsage/updated","params":{"threadId":"t-1","tokenUsage":{"total":\
        {"inputTokens":1e400},"last":[]}}}
        {"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update"}}}
        {"id":{"a":[1]},"method":"session/request_permission","params":{"options":{}}}
        """);
  }

  static Stream<Arguments> piLines() {
    return examples(
        """
        {"type":"response","command":"prompt","success":true,"id":"prompt:1"}
        {"type":"response","command":"steer","success":false,"error":"compaction","id":"steer:x"}
        {"type":"agent_start"}
        {"type":"message_start","message":{"role":"user","content":[{"type":"text","text":\
        "[midcourse steer %1$s from main via x, 1 bytes: y]"}]}}
        {"type":"message_start","message":{"role":"user","content":\
        "[midcourse steer nobody from main via x, 1 bytes: y]"}}
        {"type":"tool_execution_start","toolCallId":null,"args":{"timeout":-1e99}}
        {"type":"compaction_end"}
        {"type":"agent_end","messages":[{"role":"assistant","usage":{"cost":{"total":"x"}}}]}
        """);
  }

  /** Each line alone, and all of them in order. */
  private static Stream<Arguments> examples(String lines) {
    List<String> all = lines.formatted(STEER).lines().toList();
    return Stream.concat(
            all.stream().map(List::of), Stream.of(all, List.of("", "{", "[".repeat(20_000))))
        .map(Arguments::of);
  }
}
