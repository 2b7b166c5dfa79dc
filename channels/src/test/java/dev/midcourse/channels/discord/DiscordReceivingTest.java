package dev.midcourse.channels.discord;

import static dev.midcourse.channels.discord.FakeDiscord.ANN;
import static dev.midcourse.channels.discord.FakeDiscord.BOT;
import static dev.midcourse.channels.discord.FakeDiscord.BOT_ROLE;
import static dev.midcourse.channels.discord.FakeDiscord.CHANNEL;
import static dev.midcourse.channels.discord.FakeDiscord.DIRECT;
import static dev.midcourse.channels.discord.FakeDiscord.OTHER_BOT;
import static dev.midcourse.channels.discord.FakeDiscord.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.discord.gateway.IdentifyBudget;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the channel receives, on good and on bad days. */
@Timeout(60)
class DiscordReceivingTest {
  private DiscordFixture on;
  private FakeDiscord discord;

  @BeforeEach
  void open() throws IOException {
    on = new DiscordFixture();
    discord = on.discord;
  }

  @AfterEach
  void close() throws IOException {
    on.close();
  }

  @Test
  void aMessageHasItsChatThreadSenderAndTime() {
    on.connect();

    discord.write(CHANNEL, "in the channel");
    discord.write(THREAD, "in the thread");
    discord.write(DIRECT, "alone");
    on.awaitTexts("in the channel", "in the thread", "alone");

    InboundMessage first = on.recorder.messages.get(0);
    assertThat(first.ref().chat()).isEqualTo(CHANNEL);
    assertThat(first.thread()).isEmpty();
    assertThat(first.chat().kind()).isEqualTo(ChatKind.GROUP);
    assertThat(first.chat().threads()).isTrue();
    assertThat(first.chat().name()).contains("#general");
    assertThat(first.mentioned()).isFalse();
    assertThat(first.sender().identity()).contains(new Identity(DiscordFixture.NAME, ANN));
    assertThat(first.sender().kind()).isEqualTo(SenderKind.PERSON);
    InboundMessage second = on.recorder.messages.get(1);
    assertThat(second.ref().chat()).isEqualTo(CHANNEL);
    assertThat(second.thread()).contains(THREAD);
    assertThat(second.chat()).isEqualTo(first.chat());
    InboundMessage third = on.recorder.messages.get(2);
    assertThat(third.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(third.mentioned()).isTrue();
  }

  /** Seen to fail when the position is stored before the listener has returned. */
  @Test
  void t360_a_crash_between_taking_and_acknowledging_delivers_again() {
    var first = on.connect();
    String stored = discord.write(CHANNEL, "stored");
    on.awaitStored(stored);
    on.recorder.before =
        () -> {
          on.state.isFrozen = true; // the process dies before it stores the position
          return true;
        };
    discord.write(CHANNEL, "taken");
    on.awaitTexts("stored", "taken");
    first.close();
    on.recorder.before = () -> true;
    on.state.isFrozen = false;
    discord.write(CHANNEL, "while down");

    on.connect();

    on.awaitTexts("stored", "taken", "taken", "while down");
    assertThat(on.recorder.keys().get(1)).isEqualTo(on.recorder.keys().get(2));
    assertThat(discord.gateway.identifies).hasSize(1);
  }

  /** Seen to fail when each delivery gets a key of its own. */
  @Test
  void the_same_events_again_have_the_same_keys() {
    on.connect();
    discord.write(CHANNEL, "one");
    discord.write(CHANNEL, "two");
    on.awaitTexts("one", "two");

    discord.gateway.repeatAll();

    on.awaitTexts("one", "two", "one", "two");
    List<String> keys = on.recorder.keys();
    assertThat(keys.subList(2, 4)).isEqualTo(keys.subList(0, 2));
  }

  /** Seen to fail when the border of the next gap may move back. */
  @Test
  void t362_a_message_of_last_week_is_taken_and_does_not_move_the_border_back() {
    on.connect();
    String newest = discord.write(CHANNEL, "new");
    String old = Snowflake.at(Instant.now().minus(Duration.ofDays(7)));

    discord.write(CHANNEL, "old", JsonValue.object().with("id", old));

    on.awaitTexts("new", "old");
    on.awaitStored(newest);
    assertThat(on.recorder.messages.get(1).updateKey()).isEqualTo("m:" + old);
  }

  /** Seen to fail when only the next connection finds out that the token was revoked. */
  @Test
  void a_token_that_is_revoked_stops_the_channel_and_keeps_its_messages() {
    var channel = on.connect();
    discord.revoked = true;

    for (int i = 0; i < 5; i++) {
      assertThat(channel.send(OutboundId.of("o" + i), DiscordSendingTest.text("hello")))
          .isInstanceOf(SendResult.RetryAfter.class);
    }
    await().until(() -> channel.status() instanceof ChannelStatus.Stopped);

    assertThat(discord.count("POST", "/channels/.*")).isOne();
    ChannelNotice.Stopped stopped = on.recorder.notices(ChannelNotice.Stopped.class).getFirst();
    assertThat(stopped.remedy()).contains("Reset Token");
    assertThat(discord.gateway.connections()).isZero();
  }

  /** Seen to fail when one of the codes counts as a lost connection. */
  @ParameterizedTest
  @ValueSource(ints = {4_004, 4_010, 4_011, 4_012, 4_013, 4_014})
  void t364_a_close_code_that_nothing_but_a_person_can_cure_stops_with_a_remedy(int code) {
    var channel = on.connect();

    discord.gateway.closeAll(code);

    await().until(() -> channel.status() instanceof ChannelStatus.Stopped);
    assertThat(on.recorder.notices(ChannelNotice.Stopped.class).getFirst().remedy()).isNotBlank();
    assertThat(discord.gateway.identifies).hasSize(1);
    assertThat(discord.gateway.resumes).isEmpty();
  }

  /** Seen to fail when an outage counts as a removal. */
  @Test
  void a_chat_without_the_bot_is_closed_and_an_outage_of_discord_closes_none() {
    on.connect();
    discord.write(CHANNEL, "hello");
    on.awaitTexts("hello");
    JsonValue.Obj guild = JsonValue.object().with("id", FakeDiscord.GUILD);

    discord.gateway.dispatch("GUILD_DELETE", guild.with("unavailable", true));
    discord.gateway.dispatch("GUILD_CREATE", discord.guild());
    discord.write(CHANNEL, "back");
    on.awaitTexts("hello", "back");
    assertThat(on.recorder.notices).isEmpty();

    discord.gateway.dispatch("GUILD_DELETE", guild);
    await().until(() -> on.recorder.notices(ChannelNotice.ChatClosed.class).size() == 1);
    discord.gateway.dispatch("GUILD_CREATE", discord.guild());
    await().until(() -> on.recorder.notices(ChannelNotice.ChatOpened.class).size() == 1);
    discord.removeChannel(CHANNEL);
    await().until(() -> on.recorder.notices(ChannelNotice.ChatClosed.class).size() == 2);
  }

  /** Seen to fail when only the events of a removal close chats. */
  @Test
  void a_bot_that_was_removed_while_the_hub_was_down_closes_its_chats() {
    var first = on.connect();
    on.awaitStored(discord.write(CHANNEL, "hello"));
    first.close();
    discord.gateway.forgetSessions();
    discord.inGuild = false;

    on.connect();

    await().until(() -> on.recorder.notices(ChannelNotice.ChatClosed.class).size() == 1);
  }

  /** Seen to fail when any text with the id of the bot counts as a mention. */
  @Test
  void a_mention_is_known_by_structure_after_emoji_too() {
    on.connect();
    JsonValue.Obj named =
        JsonValue.object()
            .with("mentions", new JsonValue.Arr(List.of(FakeDiscord.user(BOT, "midcourse", true))));
    JsonValue.Obj role =
        JsonValue.object().with("mention_roles", JsonValue.strings(List.of(BOT_ROLE)));
    String first = discord.write(CHANNEL, "👍👨‍💻 <@" + BOT + "> stop", named);
    discord.write(CHANNEL, "<@!" + BOT + "> go", named);
    discord.write(CHANNEL, "<@&" + BOT_ROLE + "> role", role);
    discord.write(
        CHANNEL,
        "reply",
        named
            .with("type", 19)
            .with("message_reference", JsonValue.object().with("message_id", first)));
    discord.write(CHANNEL, "`<@" + BOT + ">` @midcourse");

    await().until(() -> on.recorder.messages.size() == 5);

    assertThat(on.recorder.messages)
        .extracting(InboundMessage::mentioned)
        .containsExactly(true, true, true, false, false);
    assertThat(on.recorder.messages)
        .extracting(InboundMessage::bareText)
        .startsWith("👍👨‍💻  stop", "go", "role", "reply");
    assertThat(on.recorder.messages.get(3).replyTo()).isPresent();
  }

  /** Seen to fail when an update without the time of an edit counts as an edit. */
  @Test
  void a_preview_is_no_edit_and_an_edit_and_a_deletion_have_keys_of_their_own() {
    on.connect();
    String id = discord.write(CHANNEL, "see https://example.org");
    discord.edit(CHANNEL, id, "see https://example.org", Optional.empty());
    Instant edited = Instant.parse("2026-03-01T10:00:00Z");
    discord.edit(CHANNEL, id, "do not", Optional.of(edited));
    discord.delete(CHANNEL, id);

    on.awaitTexts("see https://example.org", "do not", "");

    assertThat(on.recorder.keys())
        .containsExactly("m:" + id, "e:" + id + ":2026-03-01T10:00:00Z", "d:" + id);
    assertThat(on.recorder.messages.get(2).kind()).isEqualTo(InboundKind.DELETION);
  }

  /**
   * Discord tells neither the author nor who deleted it. Core knows the author from the ledger.
   *
   * <p>Seen to fail when the channel names the author if it remembers it.
   */
  @Test
  void t220_a_deletion_is_told_without_a_sender_before_and_after_a_restart() {
    var first = on.connect();
    String one = discord.write(CHANNEL, "one");
    String two = discord.write(THREAD, "two");
    discord.delete(CHANNEL, one);
    InboundMessage before = awaitDeletion(one);
    first.close();
    discord.delete(THREAD, two);

    on.connect();

    InboundMessage after = awaitDeletion(two);
    assertThat(before.sender().identity()).isEmpty();
    assertThat(after.sender()).isEqualTo(before.sender());
    assertThat(after.ref()).isEqualTo(on.recorder.messages.get(1).ref());
    assertThat(after.thread()).contains(THREAD);
  }

  private InboundMessage awaitDeletion(String id) {
    await().until(() -> on.recorder.keys().contains("d:" + id));
    InboundMessage deletion = on.recorder.messages.get(on.recorder.keys().indexOf("d:" + id));
    assertThat(deletion.kind()).isEqualTo(InboundKind.DELETION);
    return deletion;
  }

  /** Seen to fail when a new session is begun instead. */
  @Test
  void a_cut_connection_is_resumed_and_nothing_is_missing() {
    on.connect();
    discord.write(CHANNEL, "before");
    on.awaitTexts("before");
    discord.gateway.accepts = false;
    discord.gateway.cutAll();
    await().until(() -> discord.gateway.connections() == 0);
    String id = discord.write(CHANNEL, "meanwhile");
    discord.delete(CHANNEL, id);
    discord.gateway.accepts = true;

    on.awaitTexts("before", "meanwhile", "");

    assertThat(discord.gateway.identifies).hasSize(1);
    assertThat(on.recorder.keys()).doesNotHaveDuplicates();
  }

  /** Seen to fail when direct messages are left out of the history. */
  @Test
  void
      t372_when_the_session_is_gone_the_gap_is_fetched_from_channels_threads_and_direct_messages() {
    var first = on.connect();
    discord.write(DIRECT, "known chat");
    String last = discord.write(CHANNEL, "last");
    on.awaitTexts("known chat", "last");
    on.awaitStored(last);
    first.close();
    discord.gateway.forgetSessions();
    for (int i = 0; i < 150; i++) {
      discord.write(CHANNEL, "missed " + i);
    }
    discord.write(THREAD, "missed in the thread");
    discord.write(DIRECT, "missed alone");
    on.clock.advance(Duration.ofMinutes(10));

    on.connect();

    await().until(() -> on.recorder.texts().contains("missed in the thread"));
    List<String> texts = on.recorder.texts();
    assertThat(texts).contains("missed alone");
    assertThat(texts.stream().filter(text -> text.matches("missed \\d+")))
        .hasSize(150)
        .startsWith("missed 0")
        .endsWith("missed 149");
    ChannelNotice.Gap gap = on.recorder.notices(ChannelNotice.Gap.class).getFirst();
    assertThat(gap.missing()).contains("clicks");
  }

  /** Seen to fail when the rest is only logged. */
  @Test
  void ten_thousand_messages_of_backlog_are_taken_and_what_is_more_is_said() {
    var first = on.connect();
    on.awaitStored(discord.write(CHANNEL, "last"));
    first.close();
    discord.gateway.forgetSessions();
    for (int i = 0; i < 10_050; i++) {
      discord.write(CHANNEL, "m" + i);
    }

    on.connect();

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !on.recorder.notices(ChannelNotice.Gap.class).isEmpty());
    assertThat(on.recorder.messages).hasSize(10_001);
    ChannelNotice.Gap gap = on.recorder.notices(ChannelNotice.Gap.class).getFirst();
    assertThat(gap.chat()).contains(CHANNEL);
  }

  /** Seen to fail when the channel swallows the failure of the listener. */
  @Test
  void t374_what_cannot_be_stored_now_comes_again_and_what_never_can_be_is_skipped() {
    on.connect();
    on.recorder.isFull = true;
    on.recorder.hated = "hated";
    discord.write(CHANNEL, "first");
    await().until(() -> !discord.gateway.resumes.isEmpty());
    assertThat(on.recorder.texts()).isEmpty();
    on.recorder.isFull = false;
    discord.write(CHANNEL, "hated");
    discord.write(CHANNEL, "second");

    on.awaitTexts("first", "second");
  }

  /** Seen to fail when missing answers to heartbeats are ignored. */
  @Test
  void a_gateway_that_answers_no_heartbeats_is_left_and_the_session_resumed() {
    discord.gateway.heartbeatMillis = 200;
    on.connect();
    discord.gateway.answersHeartbeats = false;
    await().until(() -> !discord.gateway.resumes.isEmpty());
    discord.gateway.answersHeartbeats = true;
    discord.write(CHANNEL, "still here");

    on.awaitTexts("still here");
    assertThat(discord.gateway.closeCodes).doesNotContain(1_000, 1_001);
    assertThat(discord.gateway.identifies).hasSize(1);
  }

  /** Seen to fail when an invalid session is kept. */
  @Test
  void the_gateway_may_ask_for_a_new_connection_or_a_new_session() {
    on.connect();
    discord.gateway.askToReconnect();
    await().until(() -> discord.gateway.resumes.size() == 1);
    discord.write(CHANNEL, "one");
    on.awaitTexts("one");

    discord.gateway.sayInvalidSession(true);
    await().until(() -> discord.gateway.resumes.size() == 2);
    assertThat(discord.gateway.identifies).hasSize(1);

    discord.gateway.sayInvalidSession(false);
    await().until(() -> discord.gateway.identifies.size() == 2);
    discord.write(CHANNEL, "two");
    await().until(() -> on.recorder.texts().contains("two"));

    discord.gateway.closeAll(4_009);
    await().until(() -> discord.gateway.identifies.size() == 3);
  }

  /** Seen to fail when sessions are not counted. */
  @Test
  void a_bot_that_starts_over_and_over_does_not_use_up_the_sessions_of_a_day() {
    for (int i = 0; i < 10; i++) {
      discord.gateway.forgetSessions();
      on.state.values.remove("position");
      on.connect().close();
    }
    var channel = on.connect();
    for (int i = 0; i < 30 && !isBraked(channel); i++) {
      discord.gateway.forgetSessions();
      int before = discord.gateway.identifies.size();
      discord.gateway.closeAll(4_009);
      await().until(() -> discord.gateway.identifies.size() > before || isBraked(channel));
    }

    await().until(() -> isBraked(channel));
    assertThat(discord.gateway.identifies).hasSize(IdentifyBudget.MAX_AT_ONCE);
  }

  private static boolean isBraked(DiscordChannel channel) {
    return channel.status() instanceof ChannelStatus.Retrying(var _, String reason)
        && reason.contains("too many new sessions");
  }

  /** Seen to fail when the limit that Discord names is ignored. */
  @Test
  void no_session_is_begun_when_discord_says_that_none_is_left() {
    discord.sessionsLeft = 0;
    var channel = on.open();
    channel.start(on.recorder);

    await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
    assertThat(discord.gateway.identifies).isEmpty();
  }

  /** Seen to fail when a new session is begun instead. */
  @Test
  void a_restart_resumes_the_session() {
    on.connect().close();
    discord.write(CHANNEL, "while down");

    on.connect();

    on.awaitTexts("while down");
    assertThat(discord.gateway.resumes).hasSize(1);
    assertThat(discord.gateway.identifies).hasSize(1);
  }

  /** Seen to fail when our own messages are read like others. */
  @Test
  void bots_and_hooks_are_no_people_and_our_own_messages_are_not_told() {
    on.connect();
    discord.writeAs(BOT, true, CHANNEL, "ours");
    discord.writeAs(OTHER_BOT, true, CHANNEL, "of a bot");
    discord.write(CHANNEL, "of a hook", JsonValue.object().with("webhook_id", OTHER_BOT));
    discord.write(CHANNEL, "a note of Discord", JsonValue.object().with("type", 7));

    on.awaitTexts("of a bot", "of a hook");
    assertThat(on.recorder.messages)
        .extracting(message -> message.sender().kind())
        .containsExactly(SenderKind.BOT, SenderKind.BOT);
  }

  /** Seen to fail when the channel receives without the lock. */
  @Test
  void a_second_process_with_the_same_token_waits_and_says_so() {
    on.connect();
    var second = on.open();
    second.start(on.recorder);

    await().until(() -> second.status() instanceof ChannelStatus.Standby);
    assertThat(discord.gateway.identifies).hasSize(1);
  }

  /** Seen to fail when the position of the new session is stored while the gap is fetched. */
  @Test
  void a_crash_while_a_gap_is_fetched_leads_to_the_same_gap_again() throws Exception {
    var first = on.connect();
    on.awaitStored(discord.write(CHANNEL, "last"));
    first.close();
    discord.gateway.forgetSessions();
    discord.write(CHANNEL, "missed");
    CountDownLatch reached = new CountDownLatch(1);
    on.recorder.before =
        () -> {
          reached.countDown();
          throw new IllegalStateException("the process dies");
        };
    var second = on.open();
    second.start(on.recorder);
    reached.await();
    second.close();
    on.recorder.before = () -> true;

    on.connect();

    await().until(() -> on.recorder.texts().contains("missed"));
    assertThat(discord.gateway.identifies.size()).isGreaterThan(2);
  }

  @Test
  void whatTheGatewaySendsInFragmentsOrUnknownShapeIsReadOrSkipped() {
    on.connect();
    discord.gateway.sendRaw("{\"op\":0,\"s\":100,\"t\":\"OF_TOMORROW\",\"d\":[1,{}]}");
    discord.gateway.sendRaw("{\"op\":0,\"s\":101,\"t\":\"MESSAGE_CREATE\",\"d\":{\"id\":7}}");
    discord.gateway.sendRaw("{\"op\":77}");
    discord.write(CHANNEL, "fine");

    on.awaitTexts("fine");
    assertThat(discord.gateway.resumes).isEmpty();
  }
}
