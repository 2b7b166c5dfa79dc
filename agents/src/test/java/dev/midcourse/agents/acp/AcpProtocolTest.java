package dev.midcourse.agents.acp;

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
import org.junit.jupiter.api.Test;

/** What the lines of real agents mean, and after a hub died between any two of them. */
class AcpProtocolTest {
  private static final SteerId STEER = SteerId.of("11111111-2222-4333-8444-555555555555");
  private static final SessionId SESSION = SessionId.of("s-1");

  private static final String GEMINI =
      """
      {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":1,\
      "agentInfo":{"name":"gemini-cli","title":"Gemini CLI","version":"0.61.0"},\
      "agentCapabilities":{"loadSession":true}}}\
      """;
  private static final String CLAUDE =
      """
      {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":1,"agentCapabilities":{\
      "loadSession":true,"sessionCapabilities":{"resume":{}}},\
      "agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"0.99.1"},\
      "_meta":{"steering":{"supported":true}}}}\
      """;
  private static final String OPENED =
      """
      {"jsonrpc":"2.0","id":"session","result":{"sessionId":"s-1","modes":{"availableModes":\
      [{"id":"default"},{"id":"yolo"}],"currentModeId":"default"},\
      "models":{"availableModels":[{"modelId":"auto"}],"currentModelId":"auto"}}}\
      """;
  private static final String READ =
      """
      {"jsonrpc":"2.0","id":"opening:1","error":{"code":-32601,"message":"Method not found"}}\
      """;
  private static final String DONE = answer("prompt:1", "{\"stopReason\":\"end_turn\"}");

  private static final ToolServer TOOLS =
      new ToolServer("/opt/midcourse", List.of("mcp"), Map.of("MIDCOURSE_HOME", "/data"));
  private static final String SERVERS =
      "\"mcpServers\":[{\"name\":\"midcourse\",\"command\":\"/opt/midcourse\",\"args\":[\"mcp\"],"
          + "\"env\":[{\"name\":\"MIDCOURSE_HOME\",\"value\":\"/data\"}]}]";

  private final List<String> replies = new ArrayList<>();
  private final List<String> fatal = new ArrayList<>();
  private AcpSetup.SessionOptions options =
      new AcpSetup.SessionOptions(
          2, Path.of("/w"), Optional.empty(), false, Optional.empty(), Optional.empty());
  private Protocol protocol = new AcpProtocol(options, AcpMemo.FRESH);

  private void use(AcpSetup.SessionOptions other) {
    options = other;
    protocol = new AcpProtocol(options, AcpMemo.FRESH);
  }

  private List<AgentEvent> read(String... lines) {
    List<AgentEvent> events = new ArrayList<>();
    for (String line : lines) {
      ProtocolOutput output = protocol.read(line);
      events.addAll(output.events());
      replies.addAll(output.replies());
      output.fatal().ifPresent(fatal::add);
      protocol = new AcpProtocol(options, AcpMemo.read(protocol.memo()));
    }
    return events;
  }

  private static String answer(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":%s}".formatted(id, result);
  }

  private static String update(String kind, String more) {
    return """
    {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1",\
    "update":{"sessionUpdate":"%s",%s}}}\
    """
        .formatted(kind, more);
  }

  private static String says(String text) {
    return update(
        "agent_message_chunk", "\"content\":{\"type\":\"text\",\"text\":\"%s\"}".formatted(text));
  }

  private static final String ASKS =
      """
      {"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s-1",\
      "options":[{"optionId":"always","name":"Allow for ever","kind":"allow_always"},\
      {"optionId":"once","name":"Allow","kind":"allow_once"},\
      {"optionId":"no","name":"Reject","kind":"reject_once"}],"toolCall":{"toolCallId":"t-1",\
      "status":"pending","title":"make test","kind":"execute"}}}\
      """;

  @Test
  void a_turn_is_reported_from_the_prompt_to_its_answer() {
    List<AgentEvent> events = read(GEMINI, OPENED, READ, says("It is"), says(" done."), DONE);

    assertThat(events.getFirst())
        .isEqualTo(
            new AgentEvent.Started(
                "0.61.0", AcpCapabilities.before(AcpProgram.GEMINI), Optional.empty()));
    assertThat(events.subList(1, events.size()))
        .containsExactly(
            new AgentEvent.PromptAccepted(1, "answered what was written behind it"),
            new AgentEvent.TurnStarted(false),
            new AgentEvent.SessionNamed(SESSION),
            new AgentEvent.PromptInjected(1, "the model works on it"),
            new AgentEvent.Said("It is done."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "end_turn", "It is done."));
  }

  @Test
  void the_final_answer_is_what_was_said_after_the_last_tool() {
    List<AgentEvent> events =
        read(
            GEMINI,
            OPENED,
            READ,
            says("I look.\\n\\nClosely."),
            update(
                "tool_call",
                "\"toolCallId\":\"t-1\",\"title\":\"ls\",\"kind\":\"execute\","
                    + "\"status\":\"in_progress\""),
            update(
                "tool_call_update",
                "\"toolCallId\":\"t-1\",\"status\":\"completed\","
                    + "\"content\":[{\"type\":\"content\",\"content\":{\"type\":\"text\","
                    + "\"text\":\"a file\"}}]"),
            says("One file."),
            DONE);

    assertThat(events)
        .containsSubsequence(
            new AgentEvent.Said("I look."),
            new AgentEvent.Said("Closely."),
            new AgentEvent.ToolStarted("t-1", "execute", "ls", Optional.empty()),
            new AgentEvent.ToolFinished("t-1", true, "a file"),
            new AgentEvent.Said("One file."),
            new AgentEvent.TurnEnded(TurnEnd.COMPLETED, "end_turn", "One file."));
  }

  @Test
  void a_tool_is_reported_when_it_is_known_what_it_does_and_its_end_once() {
    String end = update("tool_call_update", "\"toolCallId\":\"t\",\"status\":\"failed\"");
    List<AgentEvent> events =
        read(
            GEMINI,
            OPENED,
            READ,
            update(
                "tool_call",
                "\"toolCallId\":\"t\",\"name\":\"Bash\",\"title\":\"Terminal\","
                    + "\"status\":\"pending\",\"rawInput\":{}"),
            update(
                "tool_call_update",
                "\"toolCallId\":\"t\",\"title\":\"make\"," + "\"rawInput\":{\"command\":\"make\"}"),
            end,
            end);

    assertThat(events)
        .endsWith(
            new AgentEvent.ToolStarted("t", "Bash", "make", Optional.empty()),
            new AgentEvent.ToolFinished("t", false, ""));
  }

  @Test
  void updates_outside_of_a_turn_are_ignored() {
    assertThat(read(GEMINI, OPENED, says("of old"), READ, DONE, says("late")))
        .doesNotHaveAnyElementsOfTypes(AgentEvent.Said.class);
  }

  @Test
  void a_prompt_that_is_answered_before_its_reading_shows_is_one_turn() {
    List<AgentEvent> events = read(GEMINI, OPENED, DONE, READ);

    assertThat(events).filteredOn(AgentEvent.TurnStarted.class::isInstance).hasSize(1);
    assertThat(events.getLast()).isInstanceOf(AgentEvent.TurnEnded.class);
  }

  @Test
  void a_turn_that_was_called_off_is_interrupted_and_one_that_fails_says_why() {
    assertThat(read(GEMINI, OPENED, READ, answer("prompt:1", "{\"stopReason\":\"cancelled\"}")))
        .endsWith(new AgentEvent.TurnEnded(TurnEnd.INTERRUPTED, "cancelled", ""));
    assertThat(
            read(
                """
                {"id":"prompt:2","error":{"code":-32603,"message":"Internal error",\
                "data":{"details":"no quota"}}}\
                """))
        .endsWith(new AgentEvent.TurnEnded(TurnEnd.ERROR, "Internal error: no quota", ""));
    assertThat(read(answer("prompt:3", "{\"stopReason\":\"refusal\"}")))
        .endsWith(new AgentEvent.TurnEnded(TurnEnd.ERROR, "refusal", ""));
  }

  @Test
  void an_agent_without_the_extension_is_never_given_a_message_in_its_turn() {
    read(GEMINI, OPENED, READ);
    assertThat(protocol.steer(STEER, "use tabs")).isEmpty();
  }

  @Test
  void a_steer_goes_by_the_extension_and_its_answer_is_all_the_evidence_there_is() {
    assertThat(read(CLAUDE, OPENED, READ, says("I begin.")))
        .doesNotHaveAnyElementsOfTypes(AgentEvent.PromptInjected.class);
    assertThat(protocol.steer(STEER, "use tabs"))
        .singleElement()
        .asString()
        .contains("\"_session/steering\"")
        .contains("\"idleBehavior\":\"promptRequired\"");

    String id = "steer:" + STEER;
    assertThat(read(answer(id, "{\"outcome\":\"injected\"}")))
        .containsExactly(new AgentEvent.SteerAccepted(STEER, "_session/steering: injected"));
    assertThat(read(answer(id, "{\"outcome\":\"promptRequired\"}")))
        .containsExactly(new AgentEvent.SteerNotTaken(STEER, "no turn runs"));
    assertThat(read(answer(id, "{\"outcome\":\"failed\"}")))
        .containsExactly(new AgentEvent.SteerRefused(STEER, "the agent says: failed"));
    assertThat(read(answer(id, "{\"outcome\":\"startedNewTurn\"}")))
        .hasOnlyElementsOfType(AgentEvent.SteerRefused.class);
    assertThat(replies.getLast()).contains("session/cancel");
  }

  @Test
  void a_permission_is_asked_for_and_answered_with_the_option_for_this_once() {
    List<AgentEvent> events = read(GEMINI, OPENED, READ, ASKS);

    assertThat(events)
        .endsWith(
            new AgentEvent.ToolStarted("t-1", "execute", "make test", Optional.empty()),
            new AgentEvent.Asked("2.0", AskKind.PERMISSION, "make test", ""));
    assertThat(protocol.answer("2.0", new AskAnswer.Allow()))
        .containsExactly(
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"outcome\":{\"outcome\":\"selected\","
                + "\"optionId\":\"once\"}}}");
    assertThat(protocol.answer("2.0", new AskAnswer.Deny("no")).getFirst()).contains("\"no\"");
    assertThat(protocol.answer("2.7", new AskAnswer.Allow())).isEmpty();
    assertThat(protocol.interrupt())
        .hasSize(2)
        .last()
        .asString()
        .contains("\"outcome\":\"cancelled\"");
  }

  @Test
  void with_permission_for_everything_the_free_mode_is_set_and_questions_are_allowed() {
    use(
        new AcpSetup.SessionOptions(
            2, Path.of("/w"), Optional.empty(), true, Optional.empty(), Optional.empty()));
    assertThat(read(GEMINI, OPENED)).isEmpty();
    assertThat(replies.getLast()).contains("session/set_mode").contains("yolo");
    assertThat(read(answer("mode", "{}"))).hasSize(1);
    assertThat(read(READ, ASKS)).doesNotHaveAnyElementsOfTypes(AgentEvent.Asked.class);
    assertThat(replies.getLast()).contains("\"once\"");
  }

  @Test
  void a_model_is_set_before_it_is_ready_and_one_that_is_refused_makes_it_unusable() {
    use(
        new AcpSetup.SessionOptions(
            2, Path.of("/w"), Optional.empty(), false, Optional.of("big"), Optional.empty()));
    assertThat(read(GEMINI, OPENED)).isEmpty();
    assertThat(replies.getLast()).contains("session/set_model").contains("big");
    read("{\"id\":\"model\",\"error\":{\"code\":-32602,\"message\":\"no such model\"}}");
    assertThat(fatal).containsExactly("it does not take the model: no such model");
  }

  @Test
  void a_new_session_has_the_tools_of_midcourse_only_if_the_attempt_has_them() {
    read(GEMINI);
    assertThat(replies.getLast()).contains("session/new").contains("\"mcpServers\":[]");
    use(
        new AcpSetup.SessionOptions(
            2, Path.of("/w"), Optional.empty(), false, Optional.empty(), Optional.of(TOOLS)));
    read(GEMINI);
    assertThat(replies.getLast()).contains("session/new").contains(SERVERS);
  }

  @Test
  void a_session_is_resumed_where_that_is_offered_and_else_loaded() {
    use(
        new AcpSetup.SessionOptions(
            2, Path.of("/w"), Optional.of(SESSION), false, Optional.empty(), Optional.of(TOOLS)));
    read(CLAUDE);
    assertThat(replies.getLast()).contains("session/resume").contains("s-1").contains(SERVERS);
    use(options);
    read(GEMINI);
    assertThat(replies.getLast()).contains("session/load").contains(SERVERS);
    assertThat(read(says("of old"), answer("session", "{}"), says("of old too")))
        .containsExactly(
            new AgentEvent.Started(
                "0.61.0", AcpCapabilities.before(AcpProgram.GEMINI), Optional.of(SESSION)));
    use(options);
    read(
        GEMINI,
        """
        {"id":"session","error":{"code":-32603,"message":"Internal error",\
        "data":{"details":"No previous sessions found"}}}\
        """);
    assertThat(fatal)
        .containsExactly("it gives no session: Internal error: No previous sessions found");
  }

  @Test
  void what_it_used_is_the_turns_tokens_and_the_growth_of_the_sessions_cost() {
    String quota =
        "{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":9},\"_meta\":{\"quota\":"
            + "{\"token_count\":{\"inputTokens\":20,\"outputTokens\":3}}}}";
    String cost = "\"used\":9,\"cost\":{\"amount\":%s,\"currency\":\"USD\"}";
    List<AgentEvent> events =
        read(
            CLAUDE,
            OPENED,
            READ,
            update("usage_update", cost.formatted("0.0124")),
            answer("prompt:1", quota),
            update("usage_update", cost.formatted("0.0200")),
            answer("prompt:2", "{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":9}}"));

    assertThat(events)
        .contains(new AgentEvent.Used(new Usage(20, 3, 12_400)))
        .contains(new AgentEvent.Used(new Usage(0, 0, 7_600)));
  }

  @Test
  void an_unknown_request_is_refused_and_a_non_message_is_garbage() {
    read("{\"id\":\"x\",\"method\":\"fs/read_text_file\",\"params\":{}}");
    assertThat(replies.getLast()).contains("-32601").contains("\"id\":\"x\"");
    assertThat(read("Loaded cached credentials.")).hasOnlyElementsOfType(AgentEvent.Garbage.class);
  }
}
