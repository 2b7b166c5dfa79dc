package dev.midcourse.agents.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.Usage;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class ClaudeMemoTest {
  private static final String STORED =
      """
      {"started":true,"named":true,"tells":true,"working":true,"background":2,"held":false,
      "opening":4,"known":true,"input_tokens":100,"output_tokens":20,"micro_dollars":3000}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    ClaudeMemo memo = ClaudeMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new ClaudeMemo(true, true, true, true, 2, false, 4, true, new Usage(100, 20, 3_000)));
    assertThat(ClaudeMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(ClaudeMemo.read("{\"of_a_later_version\":[1]}")).isEqualTo(ClaudeMemo.fresh(true));
  }
}
