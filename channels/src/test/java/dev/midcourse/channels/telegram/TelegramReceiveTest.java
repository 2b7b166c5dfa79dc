package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the channel receives by long polls, and when it confirms it. */
class TelegramReceiveTest {
  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final RecordingListener listener = fixture.listener;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Seen to fail when the position is stored before the listener is called. */
  @Test
  void t300_a_message_that_could_not_be_stored_is_not_confirmed_and_comes_again() {
    listener.fail(new IllegalStateException("the disk is full"), text -> text.equals("second"));
    fixture.started();
    telegram.push(Updates.text(1, "first"));
    telegram.push(Updates.text(2, "second"));
    fixture.awaitMessages(1);
    TelegramFixture.await()
        .until(
            () -> telegram.calls("getMe").size() >= 2 && telegram.updates().pending().size() == 1);
    listener.repair();

    fixture.awaitMessages(2);
    fixture.awaitConfirmed();
    assertThat(listener.texts()).containsExactly("first", "second");
  }

  /** Seen to fail when the key of a message contains the time of its arrival. */
  @Test
  void t301_an_update_that_comes_again_after_a_crash_has_the_same_key() {
    fixture.state.failFor("position");
    TelegramChannel first = fixture.started();
    telegram.push(Updates.text(1, "fix it"));
    fixture.awaitMessages(1);
    first.close();
    fixture.state.failFor("");

    fixture.started();
    fixture.awaitConfirmed();

    assertThat(listener.messages).hasSizeGreaterThanOrEqualTo(2);
    assertThat(listener.differentKeys()).isOne();
  }

  /** Seen to fail when the stored position is used however old it is. */
  @Test
  void t302_updates_whose_numbers_start_again_lower_are_received() {
    TelegramChannel before = fixture.started();
    telegram.push(Updates.text(1, "before"));
    fixture.awaitMessages(1);
    fixture.awaitConfirmed();
    before.close();
    fixture.clock.move(Duration.ofDays(8));
    telegram.updates().restartAt(1_000);
    telegram.push(Updates.text(2, "after"));

    fixture.started();
    fixture.awaitMessages(2);

    assertThat(listener.texts()).containsExactly("before", "after");
  }

  /** Seen to fail when every exception of the listener ends the session. */
  @Test
  void t303_a_message_that_is_refused_for_ever_does_not_hold_up_the_others() {
    listener.fail(
        Problem.invalid("text", "something else", "the text is not accepted").refused(),
        text -> text.equals("poison"));
    fixture.started();
    telegram.push(Updates.text(1, "poison"));
    telegram.push(Updates.text(2, "medicine"));

    fixture.awaitMessages(1);
    fixture.awaitConfirmed();

    assertThat(listener.texts()).containsExactly("medicine");
    assertThat(telegram.calls("getMe")).hasSize(1);
  }

  /** Seen to fail when every refusal is skipped. */
  @Test
  void a_message_that_cannot_be_stored_now_is_not_taken_for_one_that_is_refused_for_ever() {
    listener.fail(
        Problem.of(Problem.Code.UNAVAILABLE, "store", "", "the disk is full").refused(), _ -> true);
    fixture.started();
    telegram.push(Updates.text(1, "keep me"));
    TelegramFixture.await().until(() -> telegram.calls("getMe").size() >= 2);
    listener.repair();

    fixture.awaitMessages(1);
  }

  /** Seen to fail when the last texts are not compared. */
  @Test
  void t304_an_edit_has_a_key_of_its_own_and_one_that_changes_nothing_is_left_out() {
    fixture.started();
    Obj message = Updates.message(1, Updates.direct());
    telegram.push(Updates.update(message.with("text", "use tabs")));
    telegram.push(Updates.edit(message.with("text", "use tabs"), 1_772_359_300));
    telegram.push(Updates.edit(message.with("text", "use spaces"), 1_772_359_400));
    telegram.push(Updates.edit(message.with("text", "use tabs"), 1_772_359_400));

    fixture.awaitMessages(3);
    fixture.awaitConfirmed();

    assertThat(listener.texts()).containsExactly("use tabs", "use spaces", "use tabs");
    assertThat(listener.messages)
        .extracting(InboundMessage::kind)
        .containsExactly(InboundKind.MESSAGE, InboundKind.EDIT, InboundKind.EDIT);
    assertThat(listener.differentKeys()).isEqualTo(3);
  }

  /** Seen to fail when notices are left out. */
  @Test
  void the_bot_tells_when_it_was_added_to_a_chat_and_removed_from_it() {
    fixture.started();
    telegram.push(Updates.member("left", "member"));
    telegram.push(Updates.member("member", "administrator"));
    telegram.push(Updates.member("administrator", "kicked"));

    TelegramFixture.await().until(() -> listener.notices.size() == 2);

    String group = Long.toString(Updates.GROUP);
    assertThat(listener.notices)
        .containsExactly(
            new ChannelNotice.ChatOpened(group, Optional.of("The team")),
            new ChannelNotice.ChatClosed(group, "the bot was removed from the chat"));
  }

  /** Seen to fail when notices are left out. */
  @Test
  void a_group_that_becomes_a_supergroup_is_told_as_moved() {
    fixture.started();
    Obj old = Obj.EMPTY.with("id", -77).with("type", "group").with("title", "The team");
    telegram.push(
        Updates.update(Updates.message(9, old).with("migrate_to_chat_id", Updates.GROUP)));

    TelegramFixture.await().until(() -> !listener.notices.isEmpty());

    assertThat(listener.notices)
        .containsExactly(new ChannelNotice.ChatMoved("-77", Long.toString(Updates.GROUP)));
  }

  /** Seen to fail when the parts of an album are passed on as they come. */
  @Test
  void t316_the_pictures_of_an_album_are_one_message() {
    fixture.started();
    telegram.push(Updates.update(Updates.photo(11, "g1", "one").with("caption", "compare these")));
    telegram.push(Updates.update(Updates.photo(12, "g1", "two")));
    telegram.push(Updates.update(Updates.photo(13, "g1", "three")));

    fixture.awaitMessages(1);
    fixture.awaitConfirmed();

    InboundMessage album = listener.messages.getFirst();
    assertThat(album.ref().message()).isEqualTo("11");
    assertThat(album.text()).isEqualTo("compare these");
    assertThat(album.attachments())
        .extracting(Attachment::reference)
        .containsExactly("one", "two", "three");
  }

  /** Seen to fail when an album waits for its time only. */
  @Test
  void an_album_is_passed_on_before_what_its_chat_says_next() {
    fixture.started();
    telegram.push(Updates.update(Updates.photo(11, "g1", "one")));
    telegram.push(Updates.update(Updates.photo(12, "g1", "two")));
    telegram.push(Updates.text(13, "what is on them?"));

    fixture.awaitMessages(2);

    assertThat(listener.messages)
        .extracting(message -> message.ref().message())
        .containsExactly("11", "13");
    assertThat(listener.messages.getFirst().attachments()).hasSize(2);
  }

  /** Seen to fail when the parts of an album are kept in memory only. */
  @Test
  void t317_an_album_survives_a_crash_between_its_parts() {
    listener.fail(new IllegalStateException("the disk is full"), _ -> true);
    TelegramChannel first = fixture.started();
    telegram.push(Updates.update(Updates.photo(11, "g1", "one")));
    fixture.awaitConfirmed();
    first.close();
    listener.repair();

    fixture.started();
    telegram.push(Updates.update(Updates.photo(12, "g1", "two")));
    TelegramFixture.await()
        .until(() ->
            listener.messages.stream().mapToInt(message -> message.attachments().size()).sum()
                == 2);

    fixture.awaitConfirmed();
    assertThat(listener.messages)
        .flatExtracting(InboundMessage::attachments)
        .extracting(Attachment::reference)
        .containsExactly("one", "two");
  }

  /** Seen to fail when the click is answered after the listener has decided. */
  @Test
  void t318_a_click_is_answered_at_once_and_a_second_one_learns_that_it_is_decided() {
    CountDownLatch decision = new CountDownLatch(1);
    listener.holdClicks(decision);
    fixture.started();
    telegram.push(Updates.click("q1", 5, "allow-1"));
    TelegramFixture.await().until(() -> telegram.calls("answerCallbackQuery").size() == 1);

    assertThat(listener.clicks).isEmpty();
    assertThat(telegram.calls("answerCallbackQuery").getFirst().parameters().get("text")).isEmpty();
    decision.countDown();
    telegram.push(Updates.click("q2", 5, "allow-1"));
    TelegramFixture.await().until(() -> telegram.calls("answerCallbackQuery").size() == 2);

    assertThat(telegram.calls("answerCallbackQuery").getLast().parameters().string("text"))
        .contains("Already decided.");
    assertThat(listener.clicks).hasSize(2);
    assertThat(listener.clicks.getFirst().card().message()).isEqualTo("5");
    assertThat(listener.clicks.getFirst().updateKey()).isEqualTo("click:q1");
  }

  /** Seen to fail when the key of a click is another at each delivery. */
  @Test
  void a_click_that_comes_again_after_a_crash_has_the_same_key() {
    fixture.state.failFor("position");
    TelegramChannel first = fixture.started();
    telegram.push(Updates.click("q1", 5, "allow-1"));
    TelegramFixture.await().until(() -> !listener.clicks.isEmpty());
    first.close();
    fixture.state.failFor("");
    int before = listener.clicks.size();

    fixture.started();
    TelegramFixture.await().until(() -> listener.clicks.size() > before);

    assertThat(listener.clicks).extracting(click -> click.updateKey()).containsOnly("click:q1");
  }

  /** Seen to fail when the updates of an answer are taken from the last on. */
  @Test
  void a_backlog_of_ten_thousand_messages_comes_in_its_order() {
    List<String> texts = IntStream.range(0, 10_000).mapToObj(i -> "message " + i).toList();
    for (int i = 0; i < texts.size(); i++) {
      telegram.updates().push(Updates.text(i + 1, texts.get(i)));
    }

    fixture.started();
    fixture.awaitMessages(texts.size());
    fixture.awaitConfirmed();

    assertThat(listener.texts()).isEqualTo(texts);
  }
}
