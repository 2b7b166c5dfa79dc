package dev.midcourse.agents.copilot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What Copilot's messages mean, one by one, and after a hub died between any two of them. */
class CopilotProtocolTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final SessionId SESSION = SessionId.of("s-1");

  private static final String HELLO =
      result("hello", "{\"ok\":true,\"protocolVersion\":3,\"version\":\"1.0.102\"}");
  private static final String OPENED = result("session", "{\"sessionId\":\"s-1\"}");
  private static final String ACCEPTED = result("prompt:1", "{\"messageId\":\"m-1\"}");
  private static final String SHOWN =
      event("user.message", "\"content\":\"Work.\",\"messageId\":\"m-1\",\"delivery\":\"idle\"");
  private static final String IDLE = event("session.idle", "\"mode\":\"interactive\"");
  private static final String STEERED = result("steer:" + STEER, "{\"messageId\":\"m-2\"}");
  private static final String STEER_SHOWN =
      event("user.message", "\"messageId\":\"m-2\",\"delivery\":\"steering\"");

  private final List<String> replies = new ArrayList<>();
  private final List<String> fatal = new ArrayList<>();
  private CopilotRequests calls = calls(false, false);
  private Protocol protocol = new CopilotProtocol(calls, CopilotMemo.FRESH);

  private static CopilotRequests calls(boolean resumes, boolean allowAll) {
    return new CopilotRequests(
        SESSION,
        resumes,
        Path.of("/w"),
        Optional.of("big"),
        Optional.of(
            new CopilotDefinition.Provider("http://127.0.0.1:1/v1", "openai", "completions", "k")),
        Set.of("edit"),
        allowAll,
        Optional.of(
            new ToolServer("/opt/midcourse", List.of("mcp"), Map.of("MIDCOURSE_HOME", "/data"))));
  }

  @Test
  void the_session_has_the_tools_of_midcourse() {
    assertThat(calls.openSession())
        .contains(
            "\"mcpServers\":{\"midcourse\":{\"type\":\"local\",\"command\":\"/opt/midcourse\","
                + "\"args\":[\"mcp\"],\"env\":{\"MIDCOURSE_HOME\":\"/data\"},\"tools\":[\"*\"],"
                + "\"timeout\":3900000}}");
  }

  private void with(CopilotRequests other) {
    calls = other;
    protocol = new CopilotProtocol(calls, CopilotMemo.FRESH);
  }

  private List<AgentEvent> read(String... messages) {
    List<AgentEvent> events = new ArrayList<>();
    for (String message : messages) {
      ProtocolOutput output = protocol.read(message);
      events.addAll(output.events());
      replies.addAll(output.replies());
      output.fatal().ifPresent(fatal::add);
      protocol = new CopilotProtocol(calls, CopilotMemo.read(protocol.memo()));
    }
    return events;
  }

  private static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":%s}".formatted(id, result);
  }

  private static String event(String type, String data) {
    return """
    {"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s-1",\
    "event":{"type":"%s","data":{%s}}}}\
    """
        .formatted(type, data);
  }

  private static String says(String text) {
    return event("assistant.message", "\"content\":\"%s\"".formatted(text));
  }

  @Test
  void a_turn_is_reported_from_the_prompt_to_the_idle_session() {
    List<AgentEvent> events =
        read(
            HELLO, OPENED, ACCEPTED, SHOWN, event("assistant.turn_start", ""), says("Done."), IDLE);

    assertThat(events)
        .containsExactly(
            new AgentEvent.Started("1.0.102", CopilotProtocol.CAPABILITIES, Optional.empty()),
            new AgentEvent.PromptAccepted(1, "messageId m-1"),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.SessionNamed(SESSION),
            new AgentEvent.PromptInjected(1, "user.message, idle"),
            new AgentEvent.Said("Done."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "session.idle", "Done."));
    assertThat(replies)
        .singleElement()
        .asString()
        .contains("session.create")
        .contains("\"excludedTools\":[\"edit\"]")
        .contains("\"baseUrl\":\"http://127.0.0.1:1/v1\"")
        .contains("\"model\":\"big\"");
  }

  @Test
  void a_steer_is_accepted_with_its_id_and_injected_when_that_id_is_shown() {
    assertThat(read(HELLO, OPENED, ACCEPTED, SHOWN, STEERED, STEER_SHOWN))
        .endsWith(
            new AgentEvent.SteerAccepted(STEER, "messageId m-2"),
            new AgentEvent.SteerInjected(STEER, "user.message, steering"));
  }

  @Test
  void a_message_that_is_shown_before_it_is_acknowledged_is_known_by_its_id_afterwards() {
    assertThat(read(HELLO, OPENED, ACCEPTED, SHOWN, STEER_SHOWN, STEERED))
        .endsWith(
            new AgentEvent.SteerAccepted(STEER, "messageId m-2"),
            new AgentEvent.SteerInjected(STEER, "user.message"));
  }

  @Test
  void a_steer_that_comes_after_the_end_opens_a_turn_by_itself() {
    assertThat(read(HELLO, OPENED, ACCEPTED, SHOWN, IDLE, STEERED, STEER_SHOWN))
        .endsWith(
            new AgentEvent.SteerAccepted(STEER, "messageId m-2"),
            new AgentEvent.SteerInjected(STEER, "user.message, steering"),
            new AgentEvent.TurnStarted(true));
  }

  @Test
  void a_turn_that_was_aborted_is_interrupted_and_has_dropped_what_it_held() {
    String aborted = event("session.idle", "\"aborted\":true");
    assertThat(read(HELLO, OPENED, ACCEPTED, SHOWN, STEERED, aborted))
        .endsWith(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "session.idle", ""));
    assertThat(protocol.memo()).doesNotContain(STEER.value());
  }

  @Test
  void an_error_of_the_model_is_the_reason_of_the_turns_end() {
    assertThat(
            read(
                HELLO,
                OPENED,
                ACCEPTED,
                SHOWN,
                event("session.error", "\"message\":\"401 bad key\",\"statusCode\":401"),
                IDLE))
        .endsWith(new AgentEvent.TurnEnded(TurnEnd.ERROR, "401 bad key", ""));
  }

  @Test
  void tools_and_tokens_are_reported() {
    assertThat(
            read(
                event(
                    "tool.execution_start",
                    "\"toolCallId\":\"t\",\"toolName\":\"bash\",\"arguments\":{\"command\":\"ls\"}"),
                event(
                    "tool.execution_complete",
                    "\"toolCallId\":\"t\",\"success\":true,\"result\":{\"content\":\"a\"}"),
                event("assistant.usage", "\"inputTokens\":12,\"outputTokens\":3,\"cost\":1")))
        .containsExactly(
            new AgentEvent.ToolStarted("t", "bash", "ls", Optional.empty()),
            new AgentEvent.ToolFinished("t", true, "a"),
            new AgentEvent.Used(new Usage(12, 3, 0)));
  }

  @Test
  void a_permission_is_asked_for_answered_and_closed() {
    assertThat(
            read(
                event(
                    "permission.requested",
                    "\"requestId\":\"r\",\"permissionRequest\":{\"kind\":\"shell\","
                        + "\"fullCommandText\":\"make\"}"),
                event(
                    "permission.completed",
                    "\"requestId\":\"r\",\"result\":{\"kind\":\"approved\"}")))
        .containsExactly(
            new AgentEvent.Asked(
                "r", AskKind.PERMISSION, "make", "kind\n  │ shell\nfullCommandText\n  │ make"),
            new AgentEvent.AskClosed("r", "approved"));
    assertThat(protocol.answer("r", new AskAnswer.Allow()).getFirst()).contains("approve-once");
    assertThat(protocol.answer("r", new AskAnswer.Deny("no")).getFirst())
        .contains("\"kind\":\"reject\",\"feedback\":\"no\"");
  }

  @Test
  void permission_for_everything_is_set_before_it_is_ready() {
    with(calls(false, true));
    assertThat(read(HELLO, OPENED)).isEmpty();
    assertThat(replies.getLast()).contains("setApproveAll");
    assertThat(read(result("free", "{\"success\":true}"))).hasSize(1);
  }

  @Test
  void a_session_that_cannot_be_resumed_makes_it_unusable() {
    with(calls(true, false));
    read(HELLO, "{\"id\":\"session\",\"error\":{\"code\":-32603,\"message\":\"no such session\"}}");
    assertThat(replies.getLast()).contains("session.resume");
    assertThat(fatal).containsExactly("no such session");
  }

  @Test
  void a_barrier_is_passed_when_the_second_ping_is_answered() {
    assertThat(read(result("barrier:b", "{}"))).isEmpty();
    assertThat(replies.getLast()).contains("\"id\":\"barrier-again:b\"");
    assertThat(read(result("barrier-again:b", "{}")))
        .containsExactly(new AgentEvent.BarrierPassed("b"));
  }
}
