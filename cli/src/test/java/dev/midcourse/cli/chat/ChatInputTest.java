package dev.midcourse.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChatInputTest {
  @Test
  void text_and_the_commands_of_the_worker_are_messages() {
    assertThat(ChatInput.parse(" fix it ")).isEqualTo(new ChatInput.Message("fix it"));
    assertThat(ChatInput.parse("/stop")).isEqualTo(new ChatInput.Message("/stop"));
    assertThat(ChatInput.parse("/help")).isEqualTo(new ChatInput.Message("/help"));
    assertThat(ChatInput.parse("   ")).isEqualTo(new ChatInput.Blank());
  }

  @Test
  void commands_of_the_view_name_messages_and_buttons_by_number() {
    assertThat(ChatInput.parse("/reply 12 use  tabs"))
        .isEqualTo(new ChatInput.Reply(12, "use  tabs"));
    assertThat(ChatInput.parse("/EDIT 3 x")).isEqualTo(new ChatInput.Edit(3, "x"));
    assertThat(ChatInput.parse("/delete 3")).isEqualTo(new ChatInput.Delete(3));
    assertThat(ChatInput.parse("/2")).isEqualTo(new ChatInput.Choose(2));
    assertThat(ChatInput.parse("/?")).isEqualTo(new ChatInput.Help());
    assertThat(ChatInput.parse("/quit")).isEqualTo(new ChatInput.Leave());
  }

  @Test
  void an_incomplete_command_is_never_sent_as_a_message() {
    assertThat(ChatInput.parse("/reply use tabs")).isInstanceOf(ChatInput.Wrong.class);
    assertThat(ChatInput.parse("/reply 4")).isInstanceOf(ChatInput.Wrong.class);
    assertThat(ChatInput.parse("/edit 4   ")).isInstanceOf(ChatInput.Wrong.class);
    assertThat(ChatInput.parse("/delete 4 now")).isInstanceOf(ChatInput.Wrong.class);
    assertThat(ChatInput.parse("/delete")).isInstanceOf(ChatInput.Wrong.class);
  }
}
