package dev.midcourse.gateway.read;

import static dev.midcourse.gateway.read.SampleRequests.FRAME;
import static dev.midcourse.gateway.read.SampleRequests.STEER;
import static dev.midcourse.gateway.read.SampleRequests.json;
import static dev.midcourse.gateway.read.SampleRequests.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The forms are those in which the pinned agents sent a steer. */
class RequestReaderTest {
  private static final String CLAUDE = "x-claude-code-request-class: main\r\n";
  private static final String CODEX =
      "x-codex-turn-metadata: {\"request_kind\":\"turn\",\"agent_name\":\"/root\",\"thread_id\":\"t1\",\"turn_id\":\"u1\"}\r\n";
  private static final String TOOLS = "\"tools\":[{\"name\":\"Bash\"}]";

  @Test
  void claude_code_puts_a_steer_into_a_message_of_the_system() {
    ReadRequest request =
        read(
            "/v1/messages",
            CLAUDE + "X-Claude-Code-Session-Id: s1\r\n",
            """
            {"model":"claude-opus-5-5","messages":[{"role":"user","content":"go"},
             {"role":"system","content":[{"type":"text","text":%s}]}],%s}
            """
                .formatted(json(announced(FRAME)), TOOLS));
    assertThat(request.kind()).isEqualTo(RequestClass.MAIN);
    assertThat(request.certain()).isTrue();
    assertThat(request.session()).hasValue("s1");
    assertThat(request.model()).hasValue("claude-opus-5-5");
    assertThat(request.steers()).containsExactly(new PresentSteer(STEER, SteerPlace.REMINDER));
  }

  @Test
  void claude_code_with_an_older_model_puts_a_steer_into_the_result_of_a_tool() {
    String text = "output\n\n<system-reminder>\n" + announced(FRAME) + "\n</system-reminder>";
    assertThat(claude("user", result(text)).steers())
        .containsExactly(new PresentSteer(STEER, SteerPlace.TOOL_RESULT));
  }

  @Test
  void several_steers_may_follow_one_announcement() {
    String two = SampleRequests.frame(2, "two");
    assertThat(claude("system", text(announced(FRAME + "\n\n" + two))).steers())
        .extracting(PresentSteer::steer)
        .containsExactly(STEER, SampleRequests.steer(2));
  }

  @ParameterizedTest
  @MethodSource("inPlace")
  void a_steer_is_found_where_the_agent_puts_the_words_of_its_user(
      String path, String headers, String body) {
    ReadRequest request = read(path, headers, body);
    assertThat(request.kind()).isEqualTo(RequestClass.MAIN);
    assertThat(request.steers()).containsExactly(new PresentSteer(STEER, SteerPlace.MESSAGE));
  }

  static Object[][] inPlace() {
    String frame = json("Do it.\n\n" + FRAME);
    return new Object[][] {
      {"/v1/messages", CLAUDE, "{\"messages\":[{\"role\":\"user\",\"content\":" + frame + "}]}"},
      {
        "/v1/messages",
        CLAUDE,
        """
        {"messages":[{"role":"user","content":[
         {"type":"text","text":"<system-reminder>\\nnotes\\n</system-reminder>"},
         {"type":"text","text":%s}]}]}
        """
            .formatted(frame)
      },
      {
        "/v1/responses",
        CODEX,
        """
        {"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"x"}]},
         {"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}]}
        """
            .formatted(frame)
      },
      {
        "/v1/responses",
        "session_id: s\r\n",
        "{%s,\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":%s}]}]}"
            .formatted(TOOLS, frame)
      },
      {
        "/v1/chat/completions",
        "x-session-id: s\r\n",
        "{%s,\"messages\":[{\"role\":\"user\",\"content\":%s}]}".formatted(TOOLS, frame)
      },
      {
        "/v1/chat/completions",
        "",
        "{%s,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":%s}]}]}"
            .formatted(TOOLS, frame)
      },
      {
        "/v1beta/models/gemini-3:streamGenerateContent?alt=sse",
        "",
        "{%s,\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":%s}]}]}".formatted(TOOLS, frame)
      },
      {
        "/v1internal:streamGenerateContent?alt=sse",
        "",
        "{\"model\":\"m\",\"request\":{%s,\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":%s}]}]}}"
            .formatted(TOOLS, frame)
      },
    };
  }

  /** Seen to fail when the role is not looked at. */
  @ParameterizedTest
  @MethodSource("quoted")
  void a_steer_that_is_quoted_elsewhere_does_not_count(String path, String headers, String body) {
    assertThat(read(path, headers, body).steers()).isEmpty();
  }

  static Object[][] quoted() {
    String frame = json(FRAME);
    String announced = json(announced(FRAME));
    return new Object[][] {
      {"/v1/messages", CLAUDE, claudeBody("assistant", "[" + text(FRAME) + "]")},
      {"/v1/messages", CLAUDE, claudeBody("user", "[" + result(FRAME) + "]")},
      {"/v1/messages", CLAUDE, claudeBody("user", "[" + result(announced(FRAME)) + "]")},
      {"/v1/messages", CLAUDE, claudeBody("system", "[" + text(FRAME) + "]")},
      {
        "/v1/messages",
        CLAUDE,
        claudeBody(
            "user", "[" + text("<system-reminder>\nfile:\n" + FRAME + "\n</system-reminder>") + "]")
      },
      {
        "/v1/messages",
        CLAUDE,
        claudeBody("system", "[" + text(announced("I quote:\n" + FRAME)) + "]")
      },
      {
        "/v1/messages",
        CLAUDE,
        claudeBody(
            "user", json("This session is being continued from a previous conversation.\n" + FRAME))
      },
      {"/v1/messages", CLAUDE, "{\"system\":[{\"type\":\"text\",\"text\":" + announced + "}]}"},
      {
        "/v1/messages",
        CLAUDE,
        "{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"input\":{\"content\":"
            + frame
            + "}}]}]}"
      },
      {
        "/v1/responses",
        CODEX,
        "{\"input\":[{\"type\":\"function_call_output\",\"role\":\"user\",\"output\":"
            + frame
            + "}]}"
      },
      {
        "/v1/responses",
        CODEX,
        "{\"instructions\":%s,\"input\":[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":%s}]}]}"
            .formatted(frame, frame)
      },
      {
        "/v1/responses",
        CODEX,
        "{\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":%s}]}]}"
            .formatted(json("# AGENTS.md instructions for /x\n" + FRAME))
      },
      {
        "/v1/chat/completions",
        "",
        "{\"messages\":[{\"role\":\"tool\",\"content\":%s},{\"role\":\"system\",\"content\":%s}]}"
            .formatted(frame, frame)
      },
      {
        "/v1beta/models/x:streamGenerateContent",
        "",
        "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"response\":{\"output\":%s}}}]},{\"role\":\"model\",\"parts\":[{\"text\":%s}]}]}"
            .formatted(frame, frame)
      },
    };
  }

  /** pi and OpenCode give the summariser the conversation as text. */
  @Test
  void a_conversation_as_text_has_no_frame_at_the_beginning_of_a_line() {
    assertThat(
            read(
                    "/v1/chat/completions",
                    "",
                    "{\"messages\":[{\"role\":\"user\",\"content\":%s}]}"
                        .formatted(json("[User]: " + FRAME)))
                .steers())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "main, MAIN",
    "subagent, SUB_AGENT",
    "workflow, SUB_AGENT",
    "compaction, COMPACTION",
    "auxiliary, SIDE",
    "side_reply, SIDE",
    "something_new, SIDE"
  })
  void claude_code_names_the_class(String name, RequestClass expected) {
    ReadRequest request =
        read("/v1/messages", "x-claude-code-request-class: " + name + "\r\n", "{" + TOOLS + "}");
    assertThat(request.kind()).isEqualTo(expected);
    assertThat(request.certain()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}],\"tools\":[{}]}', MAIN",
    "'{\"messages\":[{\"role\":\"user\",\"content\":\"go\"}]}', SIDE",
    "'{\"system\":[{\"type\":\"text\",\"text\":\"x cc_is_subagent=true; y\"}],\"tools\":[{}]}', SUB_AGENT",
    "'{\"messages\":[{\"role\":\"user\",\"content\":\"CRITICAL: Respond with TEXT ONLY. x\"}],\"tools\":[{}]}', COMPACTION",
    "'{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"[SUGGESTION MODE: x\"}]}],\"tools\":[{}]}', SIDE"
  })
  void without_its_header_the_class_is_concluded_from_the_shape(
      String body, RequestClass expected) {
    assertThat(read("/v1/messages", "", body).kind()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "turn, /root, MAIN",
    "turn, /root/helper, SUB_AGENT",
    "prewarm, /root, SIDE",
    "compaction, /root, COMPACTION"
  })
  void codex_names_the_kind_and_the_agent(String kind, String agent, RequestClass expected) {
    ReadRequest request =
        read(
            "/v1/responses",
            "x-codex-turn-metadata: {\"request_kind\":\"%s\",\"agent_name\":\"%s\",\"thread_id\":\"t9\"}\r\n"
                .formatted(kind, agent),
            "{" + TOOLS + "}");
    assertThat(request.kind()).isEqualTo(expected);
    assertThat(request.session()).hasValue("t9");
  }

  @ParameterizedTest
  @CsvSource({
    "x-codex-parent-thread-id, p, SUB_AGENT",
    "x-openai-subagent, review, SUB_AGENT",
    "x-interaction-type, conversation-user, MAIN"
  })
  void other_headers_name_sub_agents(String name, String value, RequestClass expected) {
    assertThat(read("/v1/responses", CODEX + name + ": " + value + "\r\n", "{}").kind())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/chat/completions, x-interaction-type: conversation-compaction, COMPACTION",
    "/v1/chat/completions, x-initiator: agent, MAIN",
    "/v1/chat/completions, x-parent-session-id: p, SUB_AGENT"
  })
  void copilot_and_opencode_say_it_in_headers(String path, String header, RequestClass expected) {
    assertThat(read(path, header + "\r\n", "{" + TOOLS + "}").kind()).isEqualTo(expected);
  }

  @Test
  void a_compaction_of_codex_at_openai_is_known_by_its_last_item() {
    assertThat(
            read(
                    "/v1/responses",
                    "",
                    "{" + TOOLS + ",\"input\":[{\"type\":\"compaction_trigger\"}]}")
                .kind())
        .isEqualTo(RequestClass.COMPACTION);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/messages/count_tokens",
    "GET, /v1/models",
    "HEAD, /api/hello",
    "POST, /v1beta/models/x:countTokens"
  })
  void what_asks_no_model_is_of_another_class(String method, String path) {
    assertThat(SampleRequests.read(method, path, CLAUDE, FRAME.getBytes(UTF_8)).kind())
        .isEqualTo(RequestClass.OTHER);
  }

  @Test
  void a_body_that_is_no_json_is_unreadable_and_has_no_steers() {
    ReadRequest request = read("/v1/messages", CLAUDE, FRAME);
    assertThat(request.kind()).isEqualTo(RequestClass.UNREADABLE);
    assertThat(request.steers()).isEmpty();
  }

  @Test
  void a_body_with_only_what_is_new_is_partial() {
    assertThat(read("/v1/responses", CODEX, "{\"previous_response_id\":\"r\"}").partial()).isTrue();
    assertThat(read("/v1/messages", CLAUDE, "{\"thread\":{\"type\":\"continue\"}}").partial())
        .isTrue();
    assertThat(read("/v1/messages", CLAUDE, "{}").partial()).isFalse();
  }

  @Test
  void claude_code_flags_the_first_request_after_a_compaction() {
    assertThat(
            read("/v1/messages", CLAUDE + "X-Claude-Code-Context-Compacted: 1\r\n", "{}")
                .afterCompaction())
        .isTrue();
  }

  private static String announced(String words) {
    return "The user sent a new message while you were working:\n"
        + words
        + "\n\nThis is how Claude Code surfaces messages.";
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":" + json(text) + "}";
  }

  private static String result(String text) {
    return "{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":" + json(text) + "}";
  }

  private static String claudeBody(String role, String content) {
    return "{" + TOOLS + ",\"messages\":[{\"role\":\"" + role + "\",\"content\":" + content + "}]}";
  }

  private static ReadRequest claude(String role, String block) {
    return read("/v1/messages", CLAUDE, claudeBody(role, "[" + block + "]"));
  }
}
