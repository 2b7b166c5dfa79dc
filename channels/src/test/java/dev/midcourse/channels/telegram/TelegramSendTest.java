package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelRequest.CloseCard;
import dev.midcourse.channels.ChannelRequest.EditText;
import dev.midcourse.channels.ChannelRequest.SendCard;
import dev.midcourse.channels.ChannelRequest.SendText;
import dev.midcourse.channels.ChannelRequest.SetReaction;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each request of the outbox as a call, and what the channel says about its result. */
class TelegramSendTest {
  private static final long CHAT = Updates.GROUP;

  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final TelegramChannel channel = fixture.channel();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a_text_is_sent_as_html_without_previews_and_as_a_reply() {
    SendResult result =
        send(
            new SendText(
                TelegramFixture.to(CHAT), "**done**: `a < b` & https://x.org", Optional.of("17")));

    Obj sent = message(result).parameters();
    assertThat(sent.string("text").orElseThrow()).startsWith("<b>done</b>: <code>a &lt; b</code>");
    assertThat(sent.object("link_preview_options").is("is_disabled")).isTrue();
    assertThat(sent.object("reply_parameters").number("message_id")).contains(17L);
    assertThat(sent.object("reply_parameters").is("allow_sending_without_reply")).isTrue();
  }

  @Test
  void a_message_in_a_topic_goes_there() {
    telegram.chats.openTopic(8);

    SendResult result =
        send(new SendText(TelegramFixture.to(CHAT, "8"), "hello", Optional.empty()));

    assertThat(message(result).parameters().number("message_thread_id")).contains(8L);
  }

  /** Seen to fail when a topic that is gone refuses the message for ever. */
  @Test
  void t321_a_message_for_a_topic_that_is_gone_goes_to_the_chat() {
    SendResult result =
        send(new SendText(TelegramFixture.to(CHAT, "99"), "hello", Optional.empty()));

    assertThat(message(result).parameters().get("message_thread_id")).isEmpty();
    assertThat(telegram.calls("sendMessage")).hasSize(2);
  }

  /** Seen to fail when the markup that Telegram refuses is an end. */
  @Test
  void t320_a_text_whose_markup_telegram_does_not_take_is_sent_without() {
    telegram.failNext(
        "sendMessage",
        400,
        "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 0",
        Obj.EMPTY);

    SendResult result =
        send(new SendText(TelegramFixture.to(CHAT), "**bold** <x>", Optional.empty()));

    assertThat(message(result).parameters().string("text")).contains("bold <x>");
    assertThat(message(result).parameters().get("parse_mode")).isEmpty();
  }

  @Test
  void a_text_of_which_markup_leaves_nothing_is_sent_as_it_is() {
    SendResult result =
        send(new SendText(TelegramFixture.to(CHAT), "[ref]: https://x.org", Optional.empty()));

    assertThat(message(result).parameters().string("text")).contains("[ref]: https://x.org");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "👍",
        "*a* ",
        "`<&>` ",
        "|a|b|\n|-|-|\n|1|2|\n\n",
        "a & b < c ",
        "> q\n\n",
        "[x](https://y.org) "
      })
  void the_longest_text_of_the_outbox_fits_whatever_it_consists_of(String part) {
    int max = channel.capabilities().limits().maxText();
    String longest = part.repeat(max / part.length());

    SendResult result = send(new SendText(TelegramFixture.to(CHAT), longest, Optional.empty()));

    assertThat(result).isInstanceOf(SendResult.Sent.class);
    assertThat(telegram.calls("sendMessage").size()).isOne();
  }

  /** Seen to fail when an edit that changes nothing counts as a refusal. */
  @Test
  void progress_is_edited_and_an_edit_that_changes_nothing_is_a_success() {
    String id = id(send(new SendText(TelegramFixture.to(CHAT), "1 of 2", Optional.empty())));

    EditText edit = new EditText(TelegramFixture.to(CHAT), id, "2 of 2");

    assertThat(send(edit)).isEqualTo(new SendResult.Sent(id));
    assertThat(send(edit)).isEqualTo(new SendResult.Sent(id));
    assertThat(telegram.chats.message(Long.parseLong(id)).parameters().string("text"))
        .contains("2 of 2");
    assertThat(send(new EditText(TelegramFixture.to(CHAT), "5", "x")))
        .isInstanceOf(SendResult.Refused.class);
  }

  @Test
  void a_card_has_its_buttons_and_loses_them_when_it_is_closed() {
    List<Button> buttons =
        List.of(
            new Button("b1", "Allow"), new Button("b2", "Deny"), new Button("b3", "x".repeat(40)));
    String id =
        id(send(new SendCard(TelegramFixture.to(CHAT), "Run `rm <x>`?", "*sure?*", buttons)));

    Obj card = telegram.chats.message(Long.parseLong(id)).parameters();
    assertThat(card.string("text")).contains("<b>Run `rm &lt;x&gt;`?</b>\n<i>sure?</i>");
    assertThat(card.object("reply_markup").toString())
        .isEqualTo(
            "{\"inline_keyboard\":[[{\"text\":\"Allow\",\"callback_data\":\"b1\"},"
                + "{\"text\":\"Deny\",\"callback_data\":\"b2\"}],[{\"text\":\""
                + "x".repeat(40)
                + "\",\"callback_data\":\"b3\"}]]}");

    send(new CloseCard(TelegramFixture.to(CHAT), id, "Allowed by Ann."));

    assertThat(telegram.chats.message(Long.parseLong(id)).parameters().get("reply_markup"))
        .isEmpty();
  }

  @Test
  void a_card_with_the_most_buttons_is_taken_and_a_button_that_telegram_cannot_carry_is_refused() {
    int max = channel.capabilities().limits().maxButtons();
    List<Button> most =
        IntStream.range(0, max).mapToObj(i -> new Button("button-" + i, "Answer " + i)).toList();

    assertThat(send(new SendCard(TelegramFixture.to(CHAT), "Which?", "", most)))
        .isInstanceOf(SendResult.Sent.class);
    assertThat(
            send(
                new SendCard(
                    TelegramFixture.to(CHAT), "?", "", List.of(new Button("é".repeat(33), "x")))))
        .isInstanceOf(SendResult.Refused.class);
  }

  /** Seen to fail when one of the emoji of other platforms, such as ✅, is in the table. */
  @ParameterizedTest
  @EnumSource(MessageStatus.class)
  void t322_every_status_is_a_reaction_that_telegram_takes(MessageStatus status) {
    SendResult result = send(new SetReaction(TelegramFixture.to(CHAT), "7", status));

    assertThat(result).isEqualTo(new SendResult.Sent("7"));
    assertThat(telegram.chats.reaction(CHAT, 7)).isPresent();
    assertThat(telegram.calls("sendMessage")).isEmpty();
  }

  /** Seen to fail when the reaction is refused. */
  @Test
  void a_chat_that_allows_no_such_reaction_gets_the_important_ones_in_words() {
    telegram.chats.allowReactions(CHAT, Set.of("🔥"));

    assertThat(send(new SetReaction(TelegramFixture.to(CHAT), "7", MessageStatus.RUNNING)))
        .isEqualTo(new SendResult.Sent("7"));
    assertThat(telegram.chats.messages()).isEmpty();
    assertThat(send(new SetReaction(TelegramFixture.to(CHAT), "7", MessageStatus.NOT_DELIVERED)))
        .isEqualTo(new SendResult.Sent("7"));
    assertThat(telegram.chats.messages()).hasSize(1);
    assertThat(
            telegram
                .chats
                .messages()
                .getFirst()
                .parameters()
                .object("reply_parameters")
                .number("message_id"))
        .contains(7L);
  }

  /** Seen to fail when the platform's own wait is not read. */
  @Test
  void t319_a_limit_of_telegram_is_told_with_its_own_wait() {
    telegram.failNext(
        "sendMessage", 429, "Too Many Requests: retry after 37", Obj.EMPTY.with("retry_after", 37));

    SendResult result = send(new SendText(TelegramFixture.to(CHAT), "x", Optional.empty()));

    assertThat(result).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(((SendResult.RetryAfter) result).delay()).isEqualTo(Duration.ofSeconds(37));
  }

  /** Seen to fail when a cut connection counts as not sent. */
  @Test
  void t323_a_call_without_an_answer_is_unknown_and_one_without_a_connection_is_not_sent() {
    telegram.cutNext("sendMessage");
    SendText text = new SendText(TelegramFixture.to(CHAT), "x", Optional.empty());

    assertThat(send(text)).isInstanceOf(SendResult.Unknown.class);
    assertThat(telegram.chats.messages()).hasSize(1);

    telegram.failNext("sendMessage", 502, "Bad Gateway", Obj.EMPTY);
    assertThat(send(text)).isInstanceOf(SendResult.Unknown.class);

    telegram.close();
    assertThat(send(text)).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when the message is tried again. */
  @Test
  void a_chat_that_the_bot_had_to_leave_refuses_for_ever() {
    telegram.chats.leave(CHAT);

    SendResult result = send(new SendText(TelegramFixture.to(CHAT), "x", Optional.empty()));

    assertThat(result).isInstanceOf(SendResult.Refused.class);
    assertThat(((SendResult.Refused) result).reason()).contains("kicked");
  }

  /** Seen to fail when the message goes there and nobody is told. */
  @Test
  void a_message_to_a_group_with_a_new_id_goes_there_and_the_move_is_told() {
    channel.start(fixture.listener);
    telegram.chats.move(-77, CHAT);

    SendResult result = send(new SendText(TelegramFixture.to(-77), "x", Optional.empty()));

    assertThat(message(result).chat()).isEqualTo(CHAT);
    assertThat(fixture.listener.notices)
        .containsExactly(new ChannelNotice.ChatMoved("-77", Long.toString(CHAT)));
  }

  @Test
  void typing_is_shown_and_never_fails() {
    channel.showTyping(TelegramFixture.to(CHAT));
    assertThat(telegram.calls("sendChatAction")).hasSize(1);

    telegram.chats.leave(CHAT);
    channel.showTyping(TelegramFixture.to(CHAT));
    telegram.close();
    channel.showTyping(TelegramFixture.to(CHAT));
  }

  /** Seen to fail when a request that was never made is called unknown. */
  @Test
  void an_id_that_is_not_of_telegram_is_refused_without_a_call() {
    List<SendResult> results = new ArrayList<>();
    var elsewhere = new ChatAddress(TelegramFixture.CHANNEL, "C024BE91L", Optional.empty());

    results.add(send(new SendText(elsewhere, "x", Optional.empty())));
    results.add(send(new EditText(TelegramFixture.to(CHAT), "1;2", "x")));

    assertThat(results).allMatch(SendResult.Refused.class::isInstance);
    assertThat(telegram.calls).isEmpty();
  }

  private SendResult send(ChannelRequest request) {
    return channel.send(TelegramFixture.ID, request);
  }

  private static String id(SendResult result) {
    assertThat(result).isInstanceOf(SendResult.Sent.class);
    return ((SendResult.Sent) result).message();
  }

  private FakeChats.Sent message(SendResult result) {
    return telegram.chats.message(Long.parseLong(id(result)));
  }
}
