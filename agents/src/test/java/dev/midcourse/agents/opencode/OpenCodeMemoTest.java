package dev.midcourse.agents.opencode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class OpenCodeMemoTest {
  private static final String STORED =
      """
      {"started":true,"named":true,"working":true,"settled":true,"interrupted":true,
      "finish":"stop","stepping":true,"error":"e","answer":"a","held":["z","a"],"asks":["p-1"]}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    OpenCodeMemo memo = OpenCodeMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new OpenCodeMemo(
                true,
                true,
                true,
                new OpenCodeMemo.TurnState(true, true, "stop", true, "e", "a"),
                List.of("z", "a"),
                new TreeSet<>(Set.of("p-1"))));
    assertThat(OpenCodeMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(OpenCodeMemo.read("{\"of_a_later_version\":[1]}")).isEqualTo(OpenCodeMemo.FRESH);
  }
}
