package dev.midcourse.agents.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A running agent survives an upgrade of the hub, so the memo of an older hub stays readable. */
class CommandMemoTest {
  private static final String STORED =
      """
      {"turn":3,"output":"one\\ntwo"}
      """;

  @Test
  void a_stored_memo_can_be_read() {
    CommandMemo memo = CommandMemo.read(STORED);

    assertThat(memo).isEqualTo(new CommandMemo(3, "one\ntwo"));
    assertThat(CommandMemo.read(memo.write())).isEqualTo(memo);
  }

  @Test
  void missing_fields_are_empty_and_unknown_ones_are_ignored() {
    assertThat(CommandMemo.read("{\"of_a_later_version\":[1]}")).isEqualTo(CommandMemo.FRESH);
  }
}
