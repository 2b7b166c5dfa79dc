package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.BOT;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.FakeSlack.DIRECT;
import static dev.midcourse.channels.slack.SlackHarness.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackIds;
import dev.midcourse.channels.slack.api.SlackText;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people do in Slack becomes messages, clicks and notices. */
class SlackReceivingTest {
  private SlackHarness harness;
  private FakeSlack slack;
  private SlackHarness.Recorder recorder;

  @BeforeEach
  void open() throws Exception {
    harness = new SlackHarness();
    slack = harness.slack;
    recorder = harness.recorder;
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private InboundMessage only() {
    await(() -> !recorder.messages().isEmpty());
    assertThat(recorder.messages()).hasSize(1);
    return recorder.messages().getFirst();
  }

  @Test
  void a_direct_message_is_for_the_bot_and_has_no_thread() {
    harness.start();
    String ts = slack.say(DIRECT, ANN, "Fix the login.");

    InboundMessage message = only();
    assertThat(message.ref().chat()).isEqualTo(DIRECT);
    assertThat(message.ref().message()).isEqualTo(ts);
    assertThat(message.mentioned()).isTrue();
    assertThat(message.thread()).isEmpty();
    assertThat(message.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(message.sender().identity().orElseThrow().handle()).isEqualTo(ANN);
    assertThat(message.sender().name()).isEqualTo("Ann Ash");
    assertThat(message.sender().kind()).isEqualTo(SenderKind.PERSON);
    assertThat(message.sentAt()).isEqualTo(SlackIds.instant(ts));
  }

  @Test
  void a_message_in_a_channel_is_the_root_of_its_thread() {
    harness.start();
    String root = slack.say(CHANNEL, ANN, "Who knows the login?");
    slack.reply(CHANNEL, root, ANN, "I do.");
    harness.awaitTexts("Who knows the login?", "I do.");

    assertThat(recorder.messages())
        .allSatisfy(message -> {
          assertThat(message.thread()).contains(root);
          assertThat(message.mentioned()).isFalse();
          assertThat(message.replyTo()).isEmpty();
          assertThat(message.chat().name()).contains("general");
        });
  }

  @Test
  void a_message_under_one_of_ours_replies_to_it() {
    SlackChannel channel = harness.start();
    SendResult.Sent sent =
        (SendResult.Sent)
            channel.send(
                SlackHarness.id("o1"),
                new ChannelRequest.SendText(
                    SlackHarness.to(CHANNEL), "The build is red.", Optional.empty()));
    slack.reply(CHANNEL, sent.message(), ANN, "Repair it.");

    assertThat(only().replyTo().orElseThrow().ours()).isTrue();
    assertThat(only().replyTo().orElseThrow().message()).isEqualTo(sent.message());
  }

  /** Seen to fail when the key of a message contains the id or the type of its event. */
  @Test
  void t332_a_mention_that_comes_as_two_events_is_one_message() {
    harness.start();
    slack.say(CHANNEL, ANN, "\uD83D\uDC4D <@" + BOT + "> fix it &amp; test it");
    await(() -> recorder.deliveries().size() == 2);

    InboundMessage message = only();
    assertThat(message.mentioned()).isTrue();
    assertThat(message.text()).isEqualTo("\uD83D\uDC4D @midcourse fix it & test it");
    assertThat(message.bareText()).isEqualTo("\uD83D\uDC4D  fix it & test it");
  }

  /**
   * Seen to fail when a change without the field "edited" counts as an edit, and when one with the
   * same text does.
   */
  @Test
  void t344_a_link_preview_is_no_edit_and_each_edit_and_deletion_has_a_key_of_its_own() {
    harness.start();
    String ts = slack.say(CHANNEL, ANN, "See https://example.org");
    slack.unfurl(CHANNEL, ts);
    JsonValue.Obj stored = slack.message(CHANNEL, ts);
    slack.emitChanged(CHANNEL, stored, stored.with("text", "Changed by Slack itself"));
    slack.edit(CHANNEL, ts, "See https://example.com");
    slack.unfurl(CHANNEL, ts);
    slack.edit(CHANNEL, ts, "See nothing");
    slack.delete(CHANNEL, ts);
    await(() -> recorder.messages().size() == 4);
    assertThat(recorder.deliveries()).hasSize(4);

    List<InboundMessage> all = recorder.messages();
    assertThat(all)
        .extracting(InboundMessage::kind)
        .containsExactly(
            InboundKind.MESSAGE, InboundKind.EDIT, InboundKind.EDIT, InboundKind.DELETION);
    assertThat(all).extracting(InboundMessage::updateKey).doesNotHaveDuplicates();
    assertThat(all)
        .allSatisfy(message -> {
          assertThat(message.ref().message()).isEqualTo(ts);
          assertThat(message.thread()).contains(ts);
          assertThat(message.sender().identity().orElseThrow().handle()).isEqualTo(ANN);
        });
  }

  /** Seen to fail when it is taken for an edit. */
  @Test
  void the_deletion_of_a_root_with_replies_comes_as_a_change_and_is_a_deletion() {
    harness.start();
    String ts = slack.say(CHANNEL, ANN, "Fix it.");
    JsonValue.Obj before = slack.message(CHANNEL, ts);
    slack.emitChanged(
        CHANNEL,
        before,
        before.with("subtype", "tombstone").with("text", "This message was deleted."));
    await(() -> recorder.messages().size() == 2);

    assertThat(recorder.messages().getLast().kind()).isEqualTo(InboundKind.DELETION);
  }

  /** Seen to fail when the id of the bot is not compared. */
  @Test
  void t353_other_programs_are_bots_and_our_own_messages_are_not_taken() {
    harness.start();
    JsonValue.Obj program = JsonValue.object().with("bot_id", "B0OTHER").with("username", "CI");
    slack.say(CHANNEL, BOT, "Our own answer");
    slack.say(
        CHANNEL,
        "",
        "Our own, of the other form",
        Optional.empty(),
        JsonValue.object().with("bot_id", FakeSlack.BOT_ID).with("subtype", "bot_message"));
    slack.say(CHANNEL, ANN, "By a program for Ann", Optional.empty(), program);
    slack.say(CHANNEL, "USLACKBOT", "Reminder");
    slack.say(
        CHANNEL,
        "",
        "By an old integration",
        Optional.empty(),
        program.with("subtype", "bot_message"));
    harness.awaitTexts("By a program for Ann", "Reminder", "By an old integration");

    assertThat(recorder.messages())
        .allSatisfy(message -> assertThat(message.sender().kind()).isEqualTo(SenderKind.BOT));
  }

  @Test
  void a_message_with_files_is_a_message_and_a_join_is_none() {
    harness.start();
    slack.say(CHANNEL, ANN, "joined", Optional.empty(), subtype("channel_join"));
    JsonValue.Obj file =
        JsonValue.object()
            .with("id", "F1")
            .with("name", "../../plan\u0000.txt")
            .with("mimetype", "text/plain")
            .with("size", 8)
            .with("url_private_download", slack.url("/files/plan").toString());
    JsonValue.Obj gone = JsonValue.object().with("id", "F2").with("mode", "tombstone");
    JsonValue.Obj elsewhere = JsonValue.object().with("id", "F3").with("name", "shared.txt");
    slack.say(
        CHANNEL,
        ANN,
        "",
        Optional.empty(),
        subtype("file_share")
            .with(
                "files", new JsonValue.Arr(List.of(file, gone, elsewhere, new JsonValue.Null()))));

    InboundMessage message = only();
    assertThat(message.attachments()).hasSize(2);
    assertThat(message.attachments().getFirst().name()).isEqualTo("../../plan .txt");
    assertThat(message.attachments().getFirst().bytes()).isEqualTo(8);
    assertThat(message.attachments().getLast().reference()).isEqualTo("F3");
  }

  private static JsonValue.Obj subtype(String subtype) {
    return JsonValue.object().with("subtype", subtype);
  }

  /** Seen to fail when a removal is left out. */
  @Test
  void the_bot_is_removed_from_a_channel_and_added_to_one() {
    harness.start();
    slack.emit(event("channel_left").with("channel", CHANNEL));
    slack.emit(event("member_joined_channel").with("channel", CHANNEL).with("user", ANN));
    slack.emit(event("member_joined_channel").with("channel", CHANNEL).with("user", BOT));
    slack.emit(event("channel_archive").with("channel", CHANNEL));
    await(() -> recorder.notices().size() == 3);

    assertThat(recorder.notices())
        .containsExactly(
            new ChannelNotice.ChatClosed(CHANNEL, "the app was removed from the channel"),
            new ChannelNotice.ChatOpened(CHANNEL, Optional.of("general")),
            new ChannelNotice.ChatClosed(CHANNEL, "the channel was archived"));
  }

  @Test
  void a_channel_that_gets_another_id_is_told_as_moved() {
    harness.start();
    slack.emit(
        event("channel_id_changed")
            .with("old_channel_id", "G0OLD")
            .with("new_channel_id", "C0NEW"));
    await(() -> !recorder.notices().isEmpty());

    assertThat(recorder.notices()).containsExactly(new ChannelNotice.ChatMoved("G0OLD", "C0NEW"));
  }

  private static JsonValue.Obj event(String type) {
    return JsonValue.object().with("type", type);
  }

  /** Seen to fail when the authorizations are not read. */
  @Test
  void t358_an_event_for_another_installation_of_the_app_is_not_taken() {
    harness.start();
    JsonValue.Obj event =
        event("message").with("channel", CHANNEL).with("user", ANN).with("ts", "1.1");
    slack.sockets.send(
        "events_api",
        JsonValue.object()
            .with("team_id", "T0OTHER")
            .with("event", event.with("text", "of another team"))
            .with(
                "authorizations",
                new JsonValue.Arr(
                    List.of(
                        JsonValue.object().with("team_id", "T0OTHER").with("user_id", "U0X")))));
    JsonValue.Obj shared = event.with("ts", "1.2").with("text", "of a partner in a shared channel");
    slack.sockets.send("events_api", slack.callback(shared).with("team_id", "T0PARTNER"));
    slack.say(CHANNEL, ANN, "of ours");

    harness.awaitTexts("of a partner in a shared channel", "of ours");
    await(() -> slack.sockets.unacknowledged() == 0);
  }

  /** Seen to fail when the clicker gets no text. */
  @Test
  void each_click_is_told_with_its_clicker_and_only_the_clicker_gets_the_text() {
    SlackChannel channel = harness.start();
    recorder.answer = "Already decided by <Bob>.";
    SendResult.Sent card =
        (SendResult.Sent)
            channel.send(
                SlackHarness.id("o1"),
                new ChannelRequest.SendCard(
                    SlackHarness.to(CHANNEL),
                    "May it?",
                    "Deploy?",
                    List.of(new Button("abc", "Yes"), new Button("def", "No"))));
    slack.click(CHANNEL, card.message(), ANN, 0);
    slack.click(CHANNEL, card.message(), ANN, 0);
    slack.click(CHANNEL, card.message(), "U0STRANGER", 1);
    await(() -> recorder.clicks().size() == 3 && slack.responses.size() == 3);
    slack.sockets.send("interactive", JsonValue.object().with("type", "view_submission"));
    await(() -> slack.sockets.unacknowledged() == 0);

    assertThat(recorder.clicks())
        .extracting(ButtonClick::button)
        .containsExactly("abc", "abc", "def");
    assertThat(recorder.clicks()).extracting(ButtonClick::updateKey).doesNotHaveDuplicates();
    assertThat(recorder.clicks().getLast().sender().identity().orElseThrow().handle())
        .isEqualTo("U0STRANGER");
    assertThat(recorder.clicks().getFirst().card().message()).isEqualTo(card.message());
    assertThat(slack.responses)
        .allSatisfy(response ->
            assertThat(response)
                .contains("\"ephemeral\"", "Already decided by &lt;Bob&gt;.", "false"));
  }

  @Test
  void a_slash_command_is_a_message_to_the_bot_with_the_commands_of_every_chat() {
    SlackChannel channel = harness.start();
    slack.sockets.send("slash_commands", command("approve 42", "1.1"));
    slack.sockets.send("slash_commands", command("look at the build", "1.2"));
    slack.sockets.send("slash_commands", command("", "1.3"));
    harness.awaitTexts("/approve 42", "look at the build", "/help");

    assertThat(recorder.messages()).allSatisfy(message -> assertThat(message.mentioned()).isTrue());
    assertThat(
            channel.send(
                SlackHarness.id("o1"),
                new ChannelRequest.SetReaction(
                    SlackHarness.to(CHANNEL),
                    recorder.messages().getFirst().ref().message(),
                    MessageStatus.DONE)))
        .isInstanceOf(SendResult.Sent.class);
    assertThat(slack.calls("reactions.add")).isEmpty();
  }

  private static JsonValue.Obj command(String text, String trigger) {
    return JsonValue.object()
        .with("command", "/midcourse")
        .with("text", text)
        .with("user_id", ANN)
        .with("channel_id", CHANNEL)
        .with("trigger_id", trigger);
  }

  /** Seen to fail when the escapes are resolved in the wrong order. */
  @Test
  void what_people_type_is_unescaped_and_mentions_count_by_structure() {
    SlackAccount bot =
        new SlackAccount(
            FakeSlack.TEAM, BOT, Optional.of(FakeSlack.BOT_ID), "midcourse", "The team");

    assertThat(SlackText.read("&lt;@" + BOT + "&gt; is not a mention", bot, id -> id))
        .isEqualTo(
            new SlackText(
                "<@" + BOT + "> is not a mention", "<@" + BOT + "> is not a mention", false));
    assertThat(
            SlackText.read(
                    "<@"
                        + BOT
                        + "|midcourse> see <https://e.org/?a=1&amp;b|here>, <#C1|dev>,"
                        + " <@U7>, <!here>, <mailto:a@e.org|a@e.org> &amp;lt;",
                    bot,
                    id -> id)
                .bare())
        .isEqualTo("see here (https://e.org/?a=1&b), #dev, @U7, @here, a@e.org &lt;");
    assertThat(SlackText.read("a\0b\ud800", bot, id -> id).whole()).isEqualTo("ab\uFFFD");
    assertThat(SlackText.read("x".repeat(1_000_000), bot, id -> id).whole().length())
        .isLessThan(100_000);
  }
}
