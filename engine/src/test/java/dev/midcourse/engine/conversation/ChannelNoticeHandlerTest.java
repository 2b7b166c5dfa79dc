package dev.midcourse.engine.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.engine.conversation.notice.ChannelNoticeHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
class ChannelNoticeHandlerTest {
  private static final Instant TEN = Instant.parse("2026-03-02T10:00:00Z");

  private ChatFixture fixture;
  private ChannelNoticeHandler handler;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = new ChatFixture(folder);
    handler =
        new ChannelNoticeHandler(
            fixture.engine.engine().context(), _ -> {}, ZoneId.of("Europe/Berlin"));
    fixture.person("olga", PersonRole.OWNER);
    fixture.person("mia", PersonRole.MEMBER);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void notice(ChannelNotice notice) {
    handler.handle(ChatFixture.CHANNEL, notice);
  }

  private List<Wiring> wirings(Chat chat) {
    return fixture.engine.ledger.read(r -> r.chats().wirings(chat.id()));
  }

  private Chat known(String platformId) {
    return fixture
        .engine
        .ledger
        .read(r -> r.chats().chat(ChatFixture.CHANNEL, platformId))
        .orElseThrow();
  }

  @Test
  void owners_are_told_of_a_gap_in_their_time_and_nobody_else_is() {
    notice(
        new ChannelNotice.Gap(
            Optional.empty(), TEN, TEN.plus(Duration.ofHours(1)), "clicks on buttons"));
    assertThat(fixture.texts("dm-olga"))
        .singleElement()
        .asString()
        .contains("11:00 AM", "12:00 PM", "clicks on buttons", "test");
    assertThat(fixture.texts("dm-mia")).isEmpty();
  }

  /** Seen to fail when the handler does not remember what it has told. */
  @Test
  void the_same_stop_is_told_once_a_day() {
    fixture.clock.stop();
    ChannelNotice stopped = new ChannelNotice.Stopped("the token was revoked", "Make a new one.");
    notice(stopped);
    notice(stopped);
    assertThat(fixture.texts("dm-olga"))
        .containsExactly("The channel test has stopped: the token was revoked. Make a new one.");
    fixture.clock.move(Duration.ofHours(25));
    notice(stopped);
    assertThat(fixture.texts("dm-olga")).hasSize(2);
  }

  @Test
  void a_chat_that_moved_keeps_its_worker() {
    Chat old = fixture.chat("-1", ChatKind.GROUP, false, ChatFixture.WORKER);
    Chat empty = fixture.chat("-1001", ChatKind.GROUP, false);
    notice(new ChannelNotice.ChatMoved("-1", "-1001"));
    Chat moved = known("-1001");
    assertThat(moved.id()).isEqualTo(old.id()).isNotEqualTo(empty.id());
    assertThat(wirings(moved)).hasSize(1);
    notice(new ChannelNotice.ChatMoved("-1", "-1001")); // the platform tells it twice
    assertThat(wirings(moved)).hasSize(1);
  }

  @Test
  void a_wired_chat_is_never_replaced_by_one_that_moved() {
    Chat wired = fixture.chat("-1001", ChatKind.GROUP, false, ChatFixture.WORKER);
    fixture.chat("-1", ChatKind.GROUP, false, ChatFixture.WORKER);
    notice(new ChannelNotice.ChatMoved("-1", "-1001"));
    assertThat(known("-1001").id()).isEqualTo(wired.id());
  }

  @Test
  void owners_are_told_that_the_bot_was_removed_from_a_wired_chat_only() {
    fixture.chat("-1", ChatKind.GROUP, false, ChatFixture.WORKER);
    notice(new ChannelNotice.ChatClosed("-2", "the bot was removed"));
    assertThat(fixture.texts("dm-olga")).isEmpty();
    notice(new ChannelNotice.ChatClosed("-1", "the bot was removed"));
    assertThat(fixture.texts("dm-olga")).singleElement().asString().contains("the bot was removed");
  }
}
