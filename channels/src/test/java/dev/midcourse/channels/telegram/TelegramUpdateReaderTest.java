package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.channels.telegram.receive.TelegramUpdate;
import dev.midcourse.channels.telegram.receive.TelegramUpdateReader;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelegramUpdateReaderTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final TelegramUpdateReader reader =
      new TelegramUpdateReader(
          TelegramFixture.CHANNEL,
          new TelegramBot(Long.toString(FakeTelegram.BOT), FakeTelegram.USERNAME, true));

  @Test
  void a_direct_message_has_its_sender_and_is_for_the_bot() {
    InboundMessage message = read(Updates.message(3, Updates.direct()).with("text", " Fix it. "));

    assertThat(message.sender().identity()).contains(new Identity(TelegramFixture.CHANNEL, "42"));
    assertThat(message.sender().kind()).isEqualTo(SenderKind.PERSON);
    assertThat(message.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(message.mentioned()).isTrue();
    assertThat(message.bareText()).isEqualTo("Fix it.");
    assertThat(message.text()).isEqualTo(" Fix it. ");
    assertThat(message.thread()).isEmpty();
  }

  /** Seen to fail when the offsets are taken as code points. */
  @Test
  void t312_a_mention_after_an_emoji_is_found_and_removed() {
    InboundMessage message = read(group("👍 @Mid_Bot stop", Updates.entity("mention", 3, 8)));

    assertThat(message.mentioned()).isTrue();
    assertThat(message.bareText()).isEqualTo("👍  stop");
    assertThat(message.chat().kind()).isEqualTo(ChatKind.GROUP);
  }

  /** Seen to fail when the name of the bot anywhere in the text is a mention. */
  @Test
  void only_an_entity_of_telegram_is_a_mention_and_only_of_this_bot() {
    assertThat(read(group("@mid_bot stop")).mentioned()).isFalse();
    assertThat(read(group("@mid_bots hi", Updates.entity("mention", 0, 9))).mentioned()).isFalse();
    assertThat(read(group("@mid_bot", Updates.entity("code", 0, 8))).mentioned()).isFalse();
    assertThat(
            read(group(
                    "Midcourse, go",
                    Updates.entity("text_mention", 0, 9)
                        .with("user", Updates.person(FakeTelegram.BOT))))
                .mentioned())
        .isTrue();
  }

  @Test
  void a_command_with_the_name_of_the_bot_is_for_it_and_keeps_its_word() {
    InboundMessage ours = read(group("/stop@mid_bot now", Updates.entity("bot_command", 0, 13)));
    InboundMessage others = read(group("/stop@other_bot", Updates.entity("bot_command", 0, 15)));

    assertThat(ours.bareText()).isEqualTo("/stop now");
    assertThat(ours.mentioned()).isTrue();
    assertThat(others.bareText()).isEqualTo("/stop@other_bot");
    assertThat(others.mentioned()).isFalse();
  }

  @Test
  void entities_outside_of_the_text_are_ignored() {
    InboundMessage message =
        read(
            group(
                "@mid_bot",
                Updates.entity("mention", -1, 9),
                Updates.entity("mention", 7, 2_000_000_000),
                Updates.entity("mention", 8, 1),
                Updates.entity("mention", 0, 0)));

    assertThat(message.mentioned()).isFalse();
    assertThat(message.bareText()).isEqualTo("@mid_bot");
  }

  @Test
  void a_mention_in_a_caption_counts() {
    InboundMessage message =
        read(
            Updates.photo(4, "", "file")
                .with("chat", Updates.group())
                .with("caption", "@mid_bot look")
                .with("caption_entities", new Arr(List.of(Updates.entity("mention", 0, 8)))));

    assertThat(message.mentioned()).isTrue();
    assertThat(message.bareText()).isEqualTo("look");
    assertThat(message.attachments())
        .containsExactly(
            new Attachment("photo.jpg", "image/jpeg", 1_000, "file", Optional.empty()));
  }

  /** Seen to fail when the account in the message is taken for the sender. */
  @Test
  void t313_an_anonymous_administrator_is_nobody() {
    InboundMessage message =
        read(
            group("/stop")
                .with(
                    "from",
                    Obj.EMPTY
                        .with("id", 1_087_968_824)
                        .with("is_bot", true)
                        .with("first_name", "Group"))
                .with("sender_chat", Updates.group()));

    assertThat(message.sender().identity()).isEmpty();
    assertThat(message.sender().name()).isEqualTo("The team");
  }

  /** Seen to fail when every message_thread_id is a topic. */
  @Test
  void t314_a_plain_reply_is_in_no_topic() {
    Obj reply =
        group("yes")
            .with("message_thread_id", 900)
            .with("reply_to_message", message(900, "which?", FakeTelegram.BOT));
    InboundMessage inTopic =
        read(
            group("hello")
                .with("message_thread_id", 77)
                .with("is_topic_message", true)
                .with(
                    "reply_to_message",
                    Updates.message(77, Updates.group())
                        .with(
                            "forum_topic_created",
                            Obj.EMPTY.with("name", "Fixes").with("icon_color", 1))));

    assertThat(read(reply).thread()).isEmpty();
    assertThat(read(reply).replyTo().orElseThrow().ours()).isTrue();
    assertThat(read(reply).replyTo().orElseThrow().message()).isEqualTo("900");
    assertThat(inTopic.thread()).contains("77");
    assertThat(inTopic.replyTo()).isEmpty();
    assertThat(inTopic.chat().threads()).isTrue();
  }

  @Test
  void a_quote_is_the_text_of_the_reply() {
    InboundMessage message =
        read(
            group("this part")
                .with("reply_to_message", message(5, "a long text", 99))
                .with("quote", Obj.EMPTY.with("text", "long").with("position", 2)));

    assertThat(message.replyTo().orElseThrow().text()).contains("long");
    assertThat(message.replyTo().orElseThrow().ours()).isFalse();
  }

  /** Seen to fail when is_bot is not read. */
  @Test
  void t315_other_bots_and_the_bot_itself_are_no_persons() {
    Obj bot = Obj.EMPTY.with("id", 77).with("is_bot", true).with("first_name", "Other");

    assertThat(read(group("hi").with("from", bot)).sender().kind()).isEqualTo(SenderKind.BOT);
    assertThat(read(message(1, "hi", FakeTelegram.BOT)).sender().kind()).isEqualTo(SenderKind.SELF);
  }

  /** Seen to fail when a card without its text takes no click. */
  @Test
  void a_click_on_a_card_that_telegram_no_longer_shows_counts() {
    TelegramUpdate update =
        reader.read(
            Updates.json(
                "{'callback_query':{'id':'1','from':{'id':42,'is_bot':false,'first_name':'A'},"
                    + "'message':{'chat':{'id':42,'type':'private'},'message_id':5,'date':0},"
                    + "'chat_instance':'1','data':'b1'}}"),
            NOW);

    assertThat(update).isInstanceOf(TelegramUpdate.Click.class);
    assertThat(((TelegramUpdate.Click) update).click().card().message()).isEqualTo("5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'message':7}",
        "{'message':{}}",
        "{'message':{'message_id':'x','chat':{'id':1}}}",
        "{'message':{'message_id':1.5,'chat':{'id':1},'from':{'id':2},'text':'x'}}",
        "{'message':{'message_id':1,'chat':{'id':1},'text':'x'}}",
        "{'message':{'message_id':1,'chat':{'id':1},'from':{'id':2},'location':{}}}",
        "{'message':{'message_id':1,'chat':{'id':1},'from':{'id':2},'new_chat_members':[]}}",
        "{'callback_query':{'id':'a b'}}",
        "{'my_chat_member':{}}",
        "{'poll':{}}"
      })
  void an_update_that_means_nothing_is_skipped_with_a_reason(String json) {
    assertThat(reader.read(Updates.json(json), NOW)).isInstanceOf(TelegramUpdate.Nothing.class);
  }

  /** Seen to fail when halves of characters stay in the text. */
  @Test
  void hostile_text_is_made_plain() {
    InboundMessage message =
        read(
            group("a\0b\ud800c")
                .with(
                    "from",
                    Updates.person(42)
                        .with("first_name", "A\nnn\0")
                        .with("last_name", "x".repeat(900))));

    assertThat(message.text()).isEqualTo("ab\uFFFDc");
    assertThat(message.sender().name()).startsWith("A nn").hasSizeLessThanOrEqualTo(200);
  }

  @Test
  void a_hostile_file_is_only_described() {
    Obj file =
        Obj.EMPTY
            .with("file_id", "BQAC-_1")
            .with("file_name", "../../etc/passwd\n")
            .with("mime_type", "text/html; x=<script>")
            .with("file_size", -5);
    InboundMessage message = read(Updates.message(1, Updates.direct()).with("document", file));

    assertThat(message.attachments())
        .containsExactly(
            new Attachment(
                "../../etc/passwd", "application/octet-stream", 0, "BQAC-_1", Optional.empty()));
    assertThat(
            reader.read(
                Updates.update(
                    Updates.message(1, Updates.direct())
                        .with("document", file.with("file_id", "../x"))),
                NOW))
        .isInstanceOf(TelegramUpdate.Nothing.class);
  }

  private InboundMessage read(Obj message) {
    TelegramUpdate update = reader.read(Updates.update(message), NOW);
    assertThat(update).isInstanceOf(TelegramUpdate.Message.class);
    return ((TelegramUpdate.Message) update).message();
  }

  private static Obj group(String text, Obj... entities) {
    return Updates.withEntities(Updates.message(3, Updates.group()).with("text", text), entities);
  }

  private static Obj message(long id, String text, long sender) {
    return Updates.message(id, Updates.group())
        .with("from", Updates.person(sender))
        .with("text", text);
  }
}
