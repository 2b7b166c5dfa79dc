package dev.midcourse.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A contract as agents and leads write it: text that may be anything. */
class ContractTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "please do {\"run_id\":\"x\"}",
        "```json\n{\"run_id\":\"x\"}\n```",
        "{\"run_id\":\"x\"}{\"run_id\":\"y\"}",
        "{\"run_id\":\"x\",}",
        "{\"run_id\":\"x\",\"run_id\":\"y\"}",
        "{'run_id':'x'}",
        "{\"run_id\":\"x\"",
        "NaN"
      })
  void prose_fences_two_objects_and_repeated_names_are_not_strict_json(String text) {
    assertThat(JsonInput.parse(text)).isEmpty();
  }

  @Test
  void a_number_that_could_not_be_written_again_is_refused() {
    assertThat(JsonInput.parse("{\"a\":[1e999]}")).isEmpty();
    assertThat(JsonInput.parse("-1e999")).isEmpty();
    assertThat(JsonInput.parse("1e308")).isPresent();
  }

  @Test
  void a_refusal_names_the_field_and_the_place() {
    assertThatThrownBy(() -> JsonInput.read("dispatch", "{\n  \"run_id\": x}"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("dispatch is not valid JSON: line 2, column 13: expected a value");
    assertThatThrownBy(() -> JsonInput.read("dispatch", " "))
        .isInstanceOf(RefusedException.class)
        .hasMessage("dispatch is empty");
  }

  @Test
  void a_million_brackets_are_refused_and_do_no_harm() {
    assertThat(JsonInput.parse("[".repeat(1_000_000))).isEmpty();
  }

  @Test
  void the_last_well_formed_block_counts() {
    assertThat(
            runIn(
                "<completion>{\"run_id\":\"old\"}</completion> more words"
                    + " <completion>{\"run_id\":\"new\"}</completion>"))
        .contains("new");
    assertThat(
            runIn(
                "<completion>{\"run_id\":\"whole\"}</completion>"
                    + " <completion>{\"run_id\": broken</completion>"))
        .contains("whole");
  }

  @Test
  void words_about_the_block_are_not_the_block() {
    assertThat(
            runIn(
                "I will end with a <completion> block.\n<Completion>\n{\"run_id\":\"x\"}\n"
                    + "</COMPLETION>\nstep_finish"))
        .contains("x");
    assertThat(runIn("{\"run_id\":\"x\"}")).isEmpty();
    assertThat(runIn("<completion>[1]</completion>")).isEmpty();
    assertThat(runIn("<completion>")).isEmpty();
    assertThat(runIn("</completion><completion>")).isEmpty();
  }

  @Test
  void a_block_whose_quotes_were_escaped_on_the_way_is_read() {
    assertThat(runIn("<completion>{\\\"run_id\\\":\\\"x\\\"}</completion>")).contains("x");
    assertThat(runIn("\"<completion>{\\\"run_id\\\":\\\"x\\\"}</completion>\"")).contains("x");
    assertThat(runIn("<completion>\"{\\\"run_id\\\":\\\"x\\\"}\"</completion>")).contains("x");
  }

  @Test
  void a_written_contract_is_read_back() {
    JsonValue schema = DispatchSchema.value();
    assertThat(JsonInput.read("schema", JsonWriter.compact(schema))).isEqualTo(schema);
  }

  private static Optional<String> runIn(String answer) {
    return CompletionBlocks.last(answer).flatMap(block -> block.string("run_id"));
  }
}
