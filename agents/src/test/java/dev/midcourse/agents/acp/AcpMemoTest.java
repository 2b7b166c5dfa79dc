package dev.midcourse.agents.acp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class AcpMemoTest {
  private static final String STORED =
      """
      {"agent":"gemini-cli","version":"0.61.0","steering":true,"resumes":true,"loads":true,
      "session":"s","mode":"yolo","model":true,"started":true,"named":true,"turn":3,"ended":2,
      "injected":true,"saying":"wo","answer":"two","micro_dollars":5,"cost_known":true,
      "cost_now":7,"tools":{"t-1":"+execute"},"asks":{"ask":{"allow":"y","deny":"n"}}}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    AcpMemo memo = AcpMemo.read(STORED);

    assertThat(memo)
        .isEqualTo(
            new AcpMemo(
                new AcpMemo.Greeting("gemini-cli", "0.61.0", true, true, true),
                new AcpMemo.Conversation("s", "yolo", true, true, true),
                new AcpMemo.TurnState(
                    3,
                    2,
                    true,
                    "wo",
                    "two",
                    new TreeMap<>(Map.of("ask", new AcpMemo.Permission("y", "n")))),
                new TreeMap<>(Map.of("t-1", "+execute")),
                new AcpMemo.Cost(5, true, 7)));
    assertThat(AcpMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(AcpMemo.read("{\"of_a_later_version\":[1]}"))
        .isEqualTo(
            new AcpMemo(
                AcpMemo.FRESH.greeting(),
                AcpMemo.FRESH.conversation(),
                AcpMemo.FRESH.current(),
                AcpMemo.FRESH.tools(),
                new AcpMemo.Cost(0, false, 0)));
  }
}
