package dev.midcourse.agents.copilot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class CopilotMemoTest {
  private static final String STORED =
      """
      {"version":"1.0.40","started":true,"named":true,"working":true,"answer":"a","error":"e",
      "held":{"m-1":"prompt:3"},"shown":["m-2"]}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    CopilotMemo memo = CopilotMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new CopilotMemo(
                "1.0.40",
                true,
                true,
                true,
                "a",
                "e",
                new TreeMap<>(Map.of("m-1", "prompt:3")),
                new TreeSet<>(Set.of("m-2"))));
    assertThat(CopilotMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(CopilotMemo.read("{\"of_a_later_version\":[1]}")).isEqualTo(CopilotMemo.FRESH);
  }
}
