package dev.midcourse.agents.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.stdio.ProtocolJson;
import org.junit.jupiter.api.Test;

class RpcTest {

  @Test
  void a_call_is_answered_under_an_id_that_says_what_it_was() {
    String call =
        RpcWriter.BARE.call(
            CallId.of("steer", "a:b"), "turn/steer", ProtocolJson.object().put("text", "x"));
    assertThat(call)
        .isEqualTo("{\"id\":\"steer:a:b\",\"method\":\"turn/steer\",\"params\":{\"text\":\"x\"}}");

    assertThat(RpcMessage.read("{\"id\":\"steer:a:b\",\"result\":{\"turnId\":\"t\"}}"))
        .hasValueSatisfying(answer -> {
          RpcMessage.Result result = (RpcMessage.Result) answer;
          assertThat(result.call()).isEqualTo(new CallId("steer", "a:b"));
          assertThat(ProtocolJson.text(result.result(), "turnId")).isEqualTo("t");
        });
  }

  @Test
  void a_result_may_be_null_and_is_still_a_result() {
    assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"result\":null}"))
        .hasValueSatisfying(answer ->
            assertThat(((RpcMessage.Result) answer).call()).isEqualTo(CallId.of("hello")));
  }

  @Test
  void an_error_says_which_call_failed_and_why() {
    assertThat(
            RpcMessage.read(
                "{\"id\":\"prompt:3\",\"error\":{\"code\":-32600,\"message\":\"no turn\"}}"))
        .hasValueSatisfying(answer -> {
          RpcMessage.Failure failure = (RpcMessage.Failure) answer;
          assertThat(failure.call()).isEqualTo(CallId.of("prompt", 3));
          assertThat(failure.code()).isEqualTo(-32600);
          assertThat(failure.message()).isEqualTo("no turn");
        });
  }

  @Test
  void a_request_of_the_agent_is_answered_under_its_own_id_number_or_text() {
    assertThat(answerTo("{\"id\":0,\"method\":\"ask\",\"params\":{}}"))
        .isEqualTo("{\"id\":0,\"result\":{}}");
    assertThat(answerTo("{\"id\":\"7\",\"method\":\"ask\",\"params\":{}}"))
        .isEqualTo("{\"id\":\"7\",\"result\":{}}");
  }

  @Test
  void the_same_request_of_another_attempt_is_another_ask() {
    RpcId id = RpcId.of(ProtocolJson.object().put("id", 0).path("id")).orElseThrow();
    assertThat(id.ask(1)).isEqualTo("1.0").isNotEqualTo(id.ask(2));
  }

  private static String answerTo(String line) {
    RpcMessage.Request request = (RpcMessage.Request) RpcMessage.read(line).orElseThrow();
    return RpcWriter.BARE.result(RpcId.ofAsk(request.id().ask(3)), ProtocolJson.object());
  }

  @Test
  void a_notification_has_no_id() {
    assertThat(RpcMessage.read("{\"method\":\"turn/started\",\"params\":{\"a\":1}}"))
        .hasValueSatisfying(message ->
            assertThat(((RpcMessage.Notification) message).method()).isEqualTo("turn/started"));
    assertThat(RpcWriter.JSON_RPC_2.notification("initialized"))
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"initialized\"}");
  }

  @Test
  void an_unsupported_method_is_refused_by_name() {
    RpcMessage.Request request =
        (RpcMessage.Request)
            RpcMessage.read("{\"id\":1,\"method\":\"fs/read\",\"params\":{}}").orElseThrow();
    assertThat(RpcWriter.JSON_RPC_2.notOffered(request)).contains("\"id\":1", "-32601", "fs/read");
  }

  @Test
  void text_that_is_no_message_gives_none() {
    for (String line :
        new String[] {
          "",
          "words",
          "[]",
          "{}",
          "{\"id\":\"hello\"}",
          "{\"id\":{},\"method\":\"ask\"}",
          "{\"id\":\":x\",\"result\":1}",
          "{\"id\":null,\"result\":1}"
        }) {
      assertThat(RpcMessage.read(line)).as(line).isEmpty();
    }
  }

  @Test
  void the_kind_of_a_call_cannot_be_confused_with_what_it_is_about() {
    assertThatThrownBy(() -> CallId.of("a:b")).isInstanceOf(IllegalArgumentException.class);
  }
}
