package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.FakeSlack.DIRECT;
import static dev.midcourse.channels.slack.SlackHarness.id;
import static dev.midcourse.channels.slack.SlackHarness.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What we send, and what is known about it. */
class SlackSendingTest {
  private SlackHarness harness;
  private FakeSlack slack;
  private SlackChannel channel;

  @BeforeEach
  void open() throws Exception {
    harness = new SlackHarness();
    slack = harness.slack;
    channel = harness.create(SlackSettings.Mode.SOCKET);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private SendResult send(ChatAddress to, String markdown) {
    return channel.send(id("o1"), new ChannelRequest.SendText(to, markdown, Optional.empty()));
  }

  private static String ts(SendResult result) {
    assertThat(result).isInstanceOf(SendResult.Sent.class);
    return ((SendResult.Sent) result).message();
  }

  private String card(String title, String markdown, Button... buttons) {
    return ts(
        channel.send(
            id("o1"), new ChannelRequest.SendCard(to(CHANNEL), title, markdown, List.of(buttons))));
  }

  /** Seen to fail when text of an agent is not escaped. */
  @Test
  void a_text_goes_into_its_thread_and_mentions_nobody() {
    String root = slack.say(CHANNEL, ANN, "Fix it.");
    String ts = ts(send(to(CHANNEL, root), "**Done**, <!channel> & <@U0ANN>"));

    JsonValue.Obj message = slack.message(CHANNEL, ts);
    assertThat(message.string("thread_ts")).contains(root);
    assertThat(message.string("text").orElseThrow())
        .contains("*Done*", "&lt;!channel&gt; &amp; &lt;@U0ANN&gt;");
    assertThat(slack.calls("chat.postMessage").getFirst().arguments())
        .containsEntry("unfurl_links", "false")
        .containsEntry("unfurl_media", "false");
  }

  /** Seen to fail when an edit of a closed card has the old blocks. */
  @Test
  void t346_a_decided_card_has_no_buttons_and_its_text_says_what_was_decided() {
    String ts = card("May it?", "Deploy **now**?", new Button("abc", "Yes"));
    assertThat(slack.message(CHANNEL, ts).objects("blocks")).hasSize(3);

    SendResult result =
        channel.send(
            id("o2"), new ChannelRequest.CloseCard(to(CHANNEL), ts, "Approved by **Ann**."));

    assertThat(ts(result)).isEqualTo(ts);
    JsonValue.Obj message = slack.message(CHANNEL, ts);
    assertThat(message.objects("blocks"))
        .extracting(block -> block.string("type").orElse(""))
        .containsOnly("section");
    assertThat(message.string("text").orElseThrow()).contains("Approved by").doesNotContain("**");
  }

  @Test
  void an_edit_replaces_the_text() {
    String ts = ts(send(to(DIRECT), "one"));
    assertThat(ts(channel.send(id("o2"), new ChannelRequest.EditText(to(DIRECT), ts, "two"))))
        .isEqualTo(ts);
    assertThat(slack.message(DIRECT, ts).string("text")).contains("two");
  }

  /** Seen to fail when a text is sent as one section, and when an edit has no blocks. */
  @Test
  void t356_a_text_that_grows_by_escaping_keeps_the_limits_of_slack() {
    String growing = "<&>".repeat(3_500 / 3);
    Button button = new Button("b", "x".repeat(74) + "\uD83D\uDC4D");
    String ts = card("t".repeat(400), growing, button, new Button("c", "No"));
    assertThat(slack.message(CHANNEL, ts).objects("blocks").size()).isGreaterThan(3);

    String text = ts(send(to(CHANNEL), growing));
    assertThat(slack.message(CHANNEL, text).string("text").orElseThrow().length())
        .isGreaterThan(10_000);
    ts(channel.send(id("o2"), new ChannelRequest.EditText(to(CHANNEL), text, growing)));
    assertThat(slack.message(CHANNEL, text).objects("blocks")).isNotEmpty();
    ts(channel.send(id("o3"), new ChannelRequest.CloseCard(to(CHANNEL), ts, growing)));
    ts(channel.send(id("o4"), new ChannelRequest.EditText(to(CHANNEL), text, "short")));
    assertThat(slack.message(CHANNEL, text).objects("blocks")).isEmpty();
  }

  /** Seen to fail when the old reaction stays. */
  @Test
  void one_reaction_is_replaced_by_the_next() {
    String ts = slack.say(CHANNEL, ANN, "Fix it.");
    for (MessageStatus status : MessageStatus.values()) {
      assertThat(react(channel, ts, status)).isInstanceOf(SendResult.Sent.class);
      assertThat(slack.reactions(CHANNEL, ts)).containsExactly(SlackRequestWriter.emoji(status));
    }
    assertThat(react(channel, ts, MessageStatus.DONE)).isInstanceOf(SendResult.Sent.class);
    assertThat(slack.reactions(CHANNEL, ts)).containsExactly("white_check_mark");
  }

  private static SendResult react(SlackChannel channel, String ts, MessageStatus status) {
    return channel.send(id("o1"), new ChannelRequest.SetReaction(to(CHANNEL), ts, status));
  }

  /** Seen to fail when Slack is not asked for the reactions of an earlier process. */
  @Test
  void a_reaction_from_before_a_restart_is_replaced_as_well() {
    harness.start();
    String ts = slack.say(CHANNEL, ANN, "Fix it.");
    react(harness.channel.orElseThrow(), ts, MessageStatus.RUNNING);
    harness.stop();
    SlackChannel second = harness.start();
    react(second, ts, MessageStatus.DONE);

    assertThat(slack.reactions(CHANNEL, ts)).containsExactly("white_check_mark");
  }

  /** Seen to fail when a reaction that is gone counts as a failure. */
  @Test
  void a_removal_that_is_limited_is_made_up_for_by_the_next_try() {
    String ts = slack.say(CHANNEL, ANN, "Fix it.");
    react(channel, ts, MessageStatus.QUEUED);
    slack.next("reactions.add", new FakeSlack.Fault.Fails("already_reacted"));
    slack.next("reactions.remove", new FakeSlack.Fault.Limits("7"));
    assertThat(react(channel, ts, MessageStatus.RUNNING))
        .isEqualTo(new SendResult.RetryAfter(Duration.ofSeconds(7), "Slack asks to wait"));
    slack.next("reactions.remove", new FakeSlack.Fault.Fails("no_reaction"));
    assertThat(react(channel, ts, MessageStatus.RUNNING)).isInstanceOf(SendResult.Sent.class);
    assertThat(react(channel, "1.1", MessageStatus.DONE)).isInstanceOf(SendResult.Refused.class);
  }

  /** Seen to fail when a cut connection is taken for a refusal. */
  @Test
  void t348_a_lost_answer_is_not_known_and_found_out_in_the_history() {
    slack.next("chat.postMessage", new FakeSlack.Fault.Cuts());
    assertThat(send(to(CHANNEL), "Did it arrive?")).isInstanceOf(SendResult.Unknown.class);
    slack.next("chat.postMessage", new FakeSlack.Fault.Breaks(502));
    ChannelRequest other =
        new ChannelRequest.SendText(to(CHANNEL), "This one did not.", Optional.empty());
    assertThat(channel.send(id("o2"), other)).isInstanceOf(SendResult.Unknown.class);

    slack.store.pageSize = 1;
    slack.say(CHANNEL, ANN, "Something newer");
    assertThat(channel.lookUp(id("o1"), other))
        .isEqualTo(
            new LookUpResult.Found(slack.messages(CHANNEL).getFirst().string("ts").orElseThrow()));
    assertThat(channel.lookUp(id("o2"), other)).isEqualTo(new LookUpResult.Absent());
    slack.next("conversations.history", new FakeSlack.Fault.Fails("missing_scope"));
    assertThat(channel.lookUp(id("o2"), other)).isInstanceOf(LookUpResult.NotKnown.class);
  }

  @Test
  void a_message_of_a_thread_is_looked_for_in_the_thread() {
    String root = slack.say(CHANNEL, ANN, "Fix it.");
    String ts = ts(send(to(CHANNEL, root), "Done."));
    ChannelRequest request =
        new ChannelRequest.SendText(to(CHANNEL, root), "Done.", Optional.empty());

    assertThat(channel.lookUp(id("o1"), request)).isEqualTo(new LookUpResult.Found(ts));
    assertThat(channel.lookUp(id("o9"), request)).isEqualTo(new LookUpResult.Absent());
  }

  /** Seen to fail when the time that Slack names is ignored. */
  @Test
  void a_limit_holds_for_the_time_that_slack_names() {
    slack.next("chat.postMessage", new FakeSlack.Fault.Limits("30"));
    assertThat(send(to(CHANNEL), "Done."))
        .isEqualTo(new SendResult.RetryAfter(Duration.ofSeconds(30), "Slack asks to wait"));
    assertThat(slack.messages(CHANNEL)).isEmpty();
  }

  /** Seen to fail when an internal error counts as a refusal. */
  @Test
  void errors_of_slack_say_whether_a_message_may_be_sent_again() {
    assertThat(send(to("C0OTHER"), "Done.")).isInstanceOf(SendResult.Refused.class);
    assertThat(((SendResult.Refused) send(to("C0OTHER"), "Done.")).reason()).contains("/invite");
    slack.next("chat.postMessage", new FakeSlack.Fault.Fails("service_unavailable"));
    assertThat(send(to(CHANNEL), "Done.")).isInstanceOf(SendResult.RetryAfter.class);
    slack.next("chat.postMessage", new FakeSlack.Fault.Fails("internal_error"));
    assertThat(send(to(CHANNEL), "Done.")).isInstanceOf(SendResult.Unknown.class);
    slack.next("chat.postMessage", new FakeSlack.Fault.Fails("messages_tab_disabled"));
    assertThat(((SendResult.Refused) send(to(DIRECT), "Done.")).reason()).contains("App Home");
    slack.next("chat.update", new FakeSlack.Fault.Fails("edit_window_closed"));
    assertThat(channel.send(id("o1"), new ChannelRequest.EditText(to(CHANNEL), "1.1", "x")))
        .isInstanceOf(SendResult.Refused.class);
  }

  /** Seen to fail when a message without a connection is called unknown. */
  @Test
  void a_slack_that_cannot_be_reached_did_not_get_the_message() {
    slack.close();
    assertThat(send(to(CHANNEL), "Done.")).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when the reason of a lost answer has the token. */
  @Test
  void t352_no_result_status_or_name_has_a_token() {
    List<String> shown = new ArrayList<>();
    slack.next("chat.postMessage", new FakeSlack.Fault.Fails("bad " + "x".repeat(500)));
    shown.add(send(to(CHANNEL), "x").toString());
    slack.next("chat.postMessage", new FakeSlack.Fault.Breaks(500));
    shown.add(send(to(CHANNEL), "x").toString());
    slack.next("chat.postMessage", new FakeSlack.Fault.Cuts());
    shown.add(send(to(CHANNEL), "x").toString());
    slack.revoked = true;
    shown.add(send(to(CHANNEL), "x").toString());
    channel.start(harness.recorder);
    SlackHarness.await(() -> !harness.recorder.notices().isEmpty());
    shown.add(channel.status().toString());
    shown.add(harness.recorder.notices().toString());
    shown.add(harness.settings(SlackSettings.Mode.SOCKET).toString());
    shown.add(harness.state.toString());

    assertThat(shown)
        .allSatisfy(text ->
            assertThat(text)
                .doesNotContain(
                    FakeSlack.BOT_TOKEN, FakeSlack.APP_TOKEN, SlackHarness.SIGNING_SECRET));
  }

  @Test
  void the_sign_of_writing_is_shown_in_threads_and_never_fails() {
    channel.showTyping(to(DIRECT));
    slack.next("assistant.threads.setStatus", new FakeSlack.Fault.Cuts());
    channel.showTyping(to(CHANNEL, "1.1"));
    channel.showTyping(to(CHANNEL, "1.1"));

    assertThat(slack.calls("assistant.threads.setStatus")).hasSize(2);
  }
}
