package dev.midcourse.gateway.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {
  private static final String STREAM = "text/event-stream; charset=utf-8";

  @Test
  void a_stream_of_anthropic_gives_its_sums_and_its_end() {
    ReadResponse read =
        stream(
            Wire.ANTHROPIC,
            """
            event: message_start
            data: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":10,"cache_read_input_tokens":20,"cache_creation_input_tokens":30,"output_tokens":1}}}

            event: ping
            data: {"type":"ping"}

            event: content_block_delta
            data: {"type":"content_block_delta"}

            event: message_delta
            data: {"type":"message_delta","usage":{"output_tokens":40}}

            event: message_stop
            data: {"type":"message_stop"}

            """);
    assertThat(read)
        .isEqualTo(
            new ReadResponse(
                4,
                Optional.of("msg_1"),
                Optional.of(new TokenUsage(10, 20, 30, 40)),
                true,
                Optional.empty()));
  }

  @Test
  void comments_and_pings_are_no_answer_of_the_model() {
    assertThat(
            stream(Wire.ANTHROPIC, ": keep-alive\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n")
                .modelEvents())
        .isZero();
    assertThat(stream(Wire.CHAT, ": OPENROUTER PROCESSING\n\n").modelEvents()).isZero();
  }

  @Test
  void an_error_in_a_stream_is_kept_in_the_words_of_the_provider() {
    ReadResponse read =
        stream(
            Wire.ANTHROPIC,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n");
    assertThat(read.error()).hasValue("Overloaded");
    assertThat(read.modelEvents()).isZero();
    assertThat(read.ended()).isFalse();
  }

  @Test
  void a_stream_of_responses_gives_its_sums_at_the_end() {
    String begin =
        "event: response.created\ndata: {\"response\":{\"id\":\"resp_1\"}}\n\nevent: response.output_text.delta\ndata: {}\n\n";
    assertThat(stream(Wire.RESPONSES, begin).ended()).isFalse();
    ReadResponse read =
        stream(
            Wire.RESPONSES,
            begin
                + "event: response.completed\ndata: {\"response\":{\"id\":\"resp_1\",\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":60},\"output_tokens\":7}}}\n\n");
    assertThat(read.ended()).isTrue();
    assertThat(read.message()).hasValue("resp_1");
    assertThat(read.usage()).hasValue(new TokenUsage(40, 60, 0, 7));
  }

  @Test
  void a_response_that_failed_has_no_end() {
    ReadResponse read =
        stream(
            Wire.RESPONSES,
            "event: response.failed\ndata: {\"response\":{\"error\":{\"message\":\"quota\"}}}\n\n");
    assertThat(read.error()).hasValue("quota");
    assertThat(read.ended()).isFalse();
  }

  @Test
  void a_stream_of_chat_completions_ends_with_done() {
    String begin =
        "data: {\"id\":\"c1\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"prompt_tokens_details\":{\"cached_tokens\":4},\"completion_tokens\":3}}\n\n";
    assertThat(stream(Wire.CHAT, begin).ended()).isFalse();
    ReadResponse read = stream(Wire.CHAT, begin + "data: [DONE]\n\n");
    assertThat(read.ended()).isTrue();
    assertThat(read.message()).hasValue("c1");
    assertThat(read.usage()).hasValue(new TokenUsage(5, 4, 0, 3));
  }

  @Test
  void a_stream_of_gemini_ends_with_its_reason() {
    String chunk =
        "data: {\"responseId\":\"g1\",\"candidates\":[{\"content\":{}}],\"usageMetadata\":{\"promptTokenCount\":8}}\r\n\r\n";
    assertThat(stream(Wire.GEMINI, chunk).ended()).isFalse();
    ReadResponse read =
        stream(
            Wire.GEMINI,
            chunk
                + "data: {\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":8,\"cachedContentTokenCount\":2,\"candidatesTokenCount\":5,\"thoughtsTokenCount\":6}}\r\n\r\n");
    assertThat(read.ended()).isTrue();
    assertThat(read.message()).hasValue("g1");
    assertThat(read.usage()).hasValue(new TokenUsage(6, 2, 0, 11));
  }

  @Test
  void a_stream_of_gemini_with_a_login_is_inside_another_object() {
    ReadResponse read =
        stream(
            Wire.GEMINI,
            "data: {\"response\":{\"responseId\":\"g2\",\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":8,\"candidatesTokenCount\":5}}}\n\n");
    assertThat(read.ended()).isTrue();
    assertThat(read.usage()).hasValue(new TokenUsage(8, 0, 0, 5));
  }

  @Test
  void a_document_is_read_at_its_end() {
    byte[] body =
        "{\"id\":\"msg_2\",\"usage\":{\"input_tokens\":3,\"output_tokens\":4}}".getBytes(UTF_8);
    ResponseReader reader = new ResponseReader(Wire.ANTHROPIC, 200, "application/json");
    assertThat(reader.read(body, 0, body.length).modelEvents()).isZero();
    assertThat(reader.finish())
        .isEqualTo(
            new ReadResponse(
                1,
                Optional.of("msg_2"),
                Optional.of(new TokenUsage(3, 0, 0, 4)),
                true,
                Optional.empty()));
  }

  @Test
  void an_error_document_is_no_answer_of_the_model() {
    byte[] body = "{\"type\":\"error\",\"error\":{\"message\":\"rate limited\"}}".getBytes(UTF_8);
    ResponseReader reader = new ResponseReader(Wire.ANTHROPIC, 429, "application/json");
    reader.read(body, 0, body.length);
    ReadResponse read = reader.finish();
    assertThat(read.modelEvents()).isZero();
    assertThat(read.error()).hasValue("rate limited");
  }

  /** The stream is given byte by byte, with each way to end a line. */
  private static ReadResponse stream(Wire wire, String text) {
    ResponseReader whole = new ResponseReader(wire, 200, STREAM);
    byte[] bytes = text.getBytes(UTF_8);
    whole.read(bytes, 0, bytes.length);
    ResponseReader single = new ResponseReader(wire, 200, STREAM);
    byte[] other = text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(UTF_8);
    for (int i = 0; i < other.length; i++) {
      single.read(other, i, 1);
    }
    assertThat(single.finish()).isEqualTo(whole.finish());
    return whole.finish();
  }
}
