package dev.midcourse.agents.codex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.agent.Usage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class CodexMemoTest {
  private static final String STORED =
      """
      {"version":"0.166.0","thread":"t-1","named":true,"turn":"turn-2","opening":true,
      "cleaning":true,"unanswered":true,"going_on":true,"answer":"Done.","counted":true,
      "input_tokens":100,"output_tokens":20,"turned_away":["s-2","s-1"],
      "asks":{"ask-1":{"method":"m","params":{"a":1}}}}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    CodexMemo memo = CodexMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new CodexMemo(
                "0.166.0",
                "t-1",
                true,
                new CodexMemo.TurnState(
                    "turn-2", true, true, true, true, "Done.", List.of("s-2", "s-1")),
                true,
                new Usage(100, 20, 0),
                new TreeMap<>(
                    Map.of(
                        "ask-1",
                        ProtocolJson.object("{\"method\":\"m\",\"params\":{\"a\":1}}")
                            .orElseThrow()))));
    assertThat(CodexMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(CodexMemo.read("{\"of_a_later_version\":[1]}")).isEqualTo(CodexMemo.FRESH);
  }
}
