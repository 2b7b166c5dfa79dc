package dev.midcourse.agents.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.program.ProgramVersion;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class PiMemoTest {
  private static final String STORED =
      """
      {"version":"0.87.1","session":"s","named":true,"working":true,"interrupted":true,"opening":2,
      "stopped":"stop","error":"e","answer":"a","queued":true,"barrier":"b","held":["1","2"],
      "turned_away":["4","3"]}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    PiMemo memo = PiMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new PiMemo(
                "0.87.1",
                "s",
                true,
                new PiMemo.TurnState(true, true, 2, "stop", "e", "a"),
                new PiMemo.Queue(true, new TreeSet<>(Set.of("1", "2")), List.of("4", "3"), "b")));
    assertThat(PiMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(PiMemo.read("{\"of_a_later_version\":[1]}"))
        .isEqualTo(PiMemo.fresh(new ProgramVersion("", List.of())));
  }
}
