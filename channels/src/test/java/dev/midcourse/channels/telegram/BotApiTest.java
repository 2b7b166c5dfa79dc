package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The check of calls finds what is wrong; else the other tests would prove nothing. */
class BotApiTest {
  @Test
  void a_valid_call_has_no_problems() {
    assertThat(problems("sendMessage", "{'chat_id':1,'text':'x','parse_mode':'HTML'}")).isEmpty();
    assertThat(problems("sendMessage", "{'chat_id':'@channel','text':'x'}")).isEmpty();
    assertThat(
            BotApi.INSTANCE.problemsOfCall(
                "sendDocument", Updates.json("{'chat_id':1}"), Set.of("document")))
        .isEmpty();
  }

  @Test
  void wrong_calls_are_found() {
    assertThat(problems("sendMesage", "{}")).containsExactly("sendMesage is not a method");
    assertThat(problems("sendMessage", "{'chat_id':1}")).containsExactly("sendMessage lacks text");
    assertThat(problems("sendMessage", "{'chat_id':1,'text':'x','reply_to':1}"))
        .containsExactly("sendMessage has no reply_to");
    assertThat(problems("sendMessage", "{'chat_id':true,'text':'x'}"))
        .containsExactly("sendMessage.chat_id is not of type Integer");
    assertThat(problems("sendMessage", "{'chat_id':1,'text':'x','reply_parameters':{}}"))
        .containsExactly("sendMessage.reply_parameters lacks message_id");
    assertThat(
            problems(
                "setMessageReaction",
                "{'chat_id':1,'message_id':2,'reaction':[{'type':'emoji','emojo':'x'}]}"))
        .isNotEmpty();
    assertThat(
            problems(
                "sendMessage",
                "{'chat_id':1,'text':'x','reply_markup':{'inline_keyboard':[[{'txt':'x'}]]}}"))
        .isNotEmpty();
  }

  private static List<String> problems(String method, String parameters) {
    return BotApi.INSTANCE.problemsOfCall(method, Updates.json(parameters), Set.of());
  }
}
