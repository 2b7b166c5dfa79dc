package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.FakeSlack.DIRECT;
import static dev.midcourse.channels.slack.SlackHarness.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackSocketSession;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sockets that end, stores that fail, and time in which nobody listened. */
class SlackConnectionTest {
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

  /** Seen to fail when the envelope is acknowledged before the listener returns. */
  @Test
  void t330_an_envelope_is_acknowledged_only_when_its_message_is_durable() throws Exception {
    CountDownLatch commits = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    recorder.before =
        () -> {
          begun.countDown();
          waitFor(commits);
        };
    harness.start();
    slack.say(CHANNEL, ANN, "Fix it.");
    begun.await();
    assertThat(slack.sockets.acknowledged).isEmpty();
    slack.sockets.redeliver();
    commits.countDown();
    await(() -> slack.sockets.acknowledged.size() == 2);

    assertThat(recorder.texts()).containsExactly("Fix it.");
    assertThat(recorder.deliveries()).hasSize(2);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Seen to fail when an exception of the listener is only logged. */
  @Test
  void t331_a_message_that_the_store_does_not_take_comes_again() {
    harness.start();
    recorder.failure = Optional.of(new IllegalStateException("the disk is full"));
    slack.say(CHANNEL, ANN, "Fix it.");
    await(() -> harness.channel.orElseThrow().status() instanceof ChannelStatus.Retrying);
    assertThat(slack.sockets.acknowledged).isEmpty();
    assertThat(slack.sockets.unacknowledged()).isOne();

    recorder.failure = Optional.empty();
    await(() -> harness.channel.orElseThrow().status() instanceof ChannelStatus.Connected);
    slack.sockets.redeliver();
    await(() -> slack.sockets.unacknowledged() == 0);
    assertThat(recorder.texts()).containsExactly("Fix it.");
  }

  /** Seen to fail when every refusal is asked for again. */
  @Test
  void a_message_that_is_invalid_for_ever_does_not_block_the_ones_behind_it() {
    harness.start();
    recorder.failure = Optional.of(Problem.invalid("text", "short", "too long").refused());
    slack.say(CHANNEL, ANN, "Bad.");
    await(() -> slack.sockets.acknowledged.size() == 1);
    recorder.failure = Optional.empty();
    slack.say(CHANNEL, ANN, "Good.");

    harness.awaitTexts("Good.");
  }

  /** Seen to fail when the announcement ends the session. */
  @Test
  void t333_before_slack_closes_a_socket_another_one_is_open() {
    harness.start();
    slack.sockets.disconnect("warning");
    slack.sockets.sendToOldest(envelope("late", "Still on the old socket.").toString());
    await(() -> slack.sockets.sockets().contains("close ticket-1"));
    slack.say(CHANNEL, ANN, "On the new socket.");
    harness.awaitTexts("Still on the old socket.", "On the new socket.");

    await(() -> slack.sockets.acknowledged.contains("late"));
    assertThat(slack.sockets.sockets())
        .containsExactly("open ticket-1", "open ticket-2", "close ticket-1");
    assertThat(slack.calls("users.conversations")).hasSize(1);
  }

  private JsonValue.Obj envelope(String id, String text) {
    return JsonValue.object()
        .with("envelope_id", id)
        .with("type", "events_api")
        .with(
            "payload",
            slack.callback(
                JsonValue.object()
                    .with("type", "message")
                    .with("channel", CHANNEL)
                    .with("user", ANN)
                    .with("ts", "1793620799.000100")
                    .with("text", text)));
  }

  @Test
  void a_socket_that_slack_closes_at_once_is_replaced() {
    harness.start();
    slack.sockets.disconnect("refresh_requested");
    slack.sockets.cut();
    await(() -> slack.sockets.sockets().contains("open ticket-2"));
    await(() -> slack.sockets.count() == 1);
    slack.say(CHANNEL, ANN, "Hello.");

    harness.awaitTexts("Hello.");
  }

  /** Seen to fail when silence is not noticed. */
  @Test
  void t334_a_silent_socket_is_dead() {
    harness.maxSilence = Duration.ofMillis(1_500);
    harness.start();
    slack.say(CHANNEL, ANN, "Before.");
    harness.awaitTexts("Before.");
    slack.sockets.silent = true;
    await(() -> harness.channel.orElseThrow().status() instanceof ChannelStatus.Retrying);
    slack.sockets.silent = false;
    await(() -> harness.channel.orElseThrow().status() instanceof ChannelStatus.Connected);
    slack.say(CHANNEL, ANN, "After.");

    harness.awaitTexts("Before.", "After.");
  }

  /** Seen to fail when it counts as a lost connection. */
  @Test
  void what_is_not_an_envelope_is_skipped() {
    harness.start();
    slack.sockets.sendText("no json");
    slack.sockets.sendText("[]");
    slack.sockets.sendText("{\"type\":7,\"payload\":[]}");
    slack.sockets.sendText("{\"type\":\"of tomorrow\",\"envelope_id\":\"e-tomorrow\"}");
    slack.sockets.sendText(
        "{\"type\":\"events_api\",\"payload\":{\"event\":{\"type\":\"message\"}}}");
    slack.say(CHANNEL, ANN, "Hello.");

    harness.awaitTexts("Hello.");
    await(() -> slack.sockets.acknowledged.contains("e-tomorrow"));
  }

  /**
   * Seen to fail when the threads in which we wrote are not asked for, and when the order of the
   * history is not turned.
   */
  @Test
  void t335_what_was_written_while_nobody_listened_is_fetched_in_order() {
    SlackChannel first = harness.start();
    String old = slack.say(CHANNEL, ANN, "An old task");
    harness.awaitTexts("An old task");
    SendResult answer =
        first.send(
            SlackHarness.id("o1"),
            new ChannelRequest.SendText(
                SlackHarness.to(CHANNEL, old), "I begin.", Optional.empty()));
    assertThat(answer).isInstanceOf(SendResult.Sent.class);
    String position = harness.state.getOrDefault("position", "");
    slack.store.passTime(Duration.ofHours(1));
    slack.say(CHANNEL, ANN, "Later");
    await(() -> !harness.state.getOrDefault("position", "").equals(position));
    harness.stop();
    slack.store.pageSize = 2;
    harness.now = harness.now.plus(Duration.ofHours(2));
    slack.reply(CHANNEL, old, ANN, "In the old thread");
    String root = slack.say(CHANNEL, ANN, "One");
    slack.reply(CHANNEL, root, ANN, "Two");
    String changed = slack.say(CHANNEL, ANN, "Thre");
    slack.edit(CHANNEL, changed, "Three");
    slack.say(CHANNEL, ANN, "Four");
    slack.say(DIRECT, ANN, "Direct");
    harness.start();
    await(() -> recorder.messages().size() >= 9);

    assertThat(
            recorder.messages().stream()
                .filter(it -> it.ref().chat().equals(CHANNEL))
                .map(InboundMessage::text))
        .containsExactly(
            "An old task", "Later", "In the old thread", "One", "Two", "Three", "Three", "Four");
    assertThat(recorder.messages().stream().filter(it -> it.kind() == InboundKind.EDIT)).hasSize(1);
    assertThat(recorder.texts()).contains("Direct");
    assertThat(recorder.notices()).isEmpty();
  }

  /** Seen to fail when the first start reads the whole history. */
  @Test
  void at_the_first_start_older_messages_are_not_read() {
    harness.now = harness.now.plus(Duration.ofHours(1));
    slack.say(CHANNEL, ANN, "Of yesterday");
    harness.start();
    harness.now = harness.now.plus(Duration.ofMinutes(1));

    assertThat(recorder.texts()).isEmpty();
  }

  /** Seen to fail when a limited call is given up. */
  @Test
  void t336_a_limit_of_the_history_is_waited_for() {
    harness.start();
    harness.stop();
    slack.say(CHANNEL, ANN, "Missed.");
    slack.next("conversations.history", new FakeSlack.Fault.Limits("1"));
    harness.start();

    harness.awaitTexts("Missed.");
  }

  /** Seen to fail when an answer without messages is taken for an empty history. */
  @Test
  void t337_a_history_that_cannot_be_read_is_told_as_a_gap() {
    harness.start();
    harness.stop();
    harness.now = harness.now.plus(Duration.ofHours(2));
    slack.next("conversations.history", new FakeSlack.Fault.Fails("missing_scope"));
    harness.startWithoutHistory(SlackSettings.Mode.SOCKET);
    await(() -> !recorder.notices().isEmpty());

    assertThat(recorder.notices()).hasSize(1);
    assertThat(recorder.notices().getFirst()).isInstanceOf(ChannelNotice.Gap.class);
    ChannelNotice.Gap gap = (ChannelNotice.Gap) recorder.notices().getFirst();
    assertThat(gap.chat()).isPresent();
    assertThat(gap.to()).isEqualTo(harness.now);
    assertThat(gap.missing()).contains("missing_scope");
  }

  /** Seen to fail when the position moves on while older messages are still being fetched. */
  @Test
  void a_fetch_that_fails_is_done_again_from_the_same_place_while_newer_messages_come() {
    harness.start();
    harness.stop();
    String position = harness.state.getOrDefault("position", "");
    harness.now = harness.now.plus(Duration.ofHours(2));
    slack.say(CHANNEL, ANN, "Missed.");
    for (int i = 0; i < 2; i++) {
      slack.next("users.conversations", new FakeSlack.Fault.Breaks(502));
    }
    harness.startWithoutHistory(SlackSettings.Mode.SOCKET);
    slack.store.passTime(Duration.ofHours(2));
    slack.say(CHANNEL, ANN, "New.");
    await(() -> recorder.texts().contains("New."));
    assertThat(recorder.texts()).containsExactly("New.");
    assertThat(harness.state).containsEntry("position", position);

    await(() -> recorder.texts().contains("Missed."));
    await(() -> !harness.state.getOrDefault("position", "").equals(position));
  }

  /** Seen to fail when a fetch that failed counts as done. */
  @Test
  void a_store_that_fails_while_missed_messages_come_gets_them_again() {
    harness.start();
    harness.stop();
    slack.say(CHANNEL, ANN, "Missed.");
    recorder.failure = Optional.of(new IllegalStateException("the disk is full"));
    SlackChannel channel = harness.create(SlackSettings.Mode.SOCKET);
    channel.start(recorder);
    await(() -> channel.status() instanceof ChannelStatus.Retrying);
    recorder.failure = Optional.empty();

    harness.awaitTexts("Missed.");
  }

  /** Seen to fail when the answer token_revoked counts as a passing failure. */
  @Test
  void t342_a_revoked_token_stops_the_channel_with_a_remedy() {
    SlackChannel channel = harness.start();
    slack.revoked = true;
    SendResult result =
        channel.send(
            SlackHarness.id("o1"),
            new ChannelRequest.SendText(SlackHarness.to(CHANNEL), "Done.", Optional.empty()));
    assertThat(result).isInstanceOf(SendResult.Refused.class);
    await(() -> channel.status() instanceof ChannelStatus.Stopped);

    assertThat(recorder.notices()).hasSize(1);
    assertThat(recorder.notices().getFirst()).isInstanceOf(ChannelNotice.Stopped.class);
    assertThat(((ChannelStatus.Stopped) channel.status()).remedy()).contains("Install the app");
  }

  /** Seen to fail when the event is left out. */
  @Test
  void an_uninstalled_app_stops_the_channel() {
    SlackChannel channel = harness.start();
    slack.emit(
        JsonValue.object()
            .with("type", "tokens_revoked")
            .with("tokens", JsonValue.object().with("bot", JsonValue.strings(List.of("U0OTHER")))));
    slack.emit(JsonValue.object().with("type", "app_uninstalled"));
    await(() -> channel.status() instanceof ChannelStatus.Stopped);

    assertThat(recorder.notices()).hasSize(1);
    await(() -> slack.sockets.acknowledged.size() == 1);
    assertThat(slack.sockets.unacknowledged()).isOne();
  }

  /** Seen to fail when the lock has the name of the channel and not that of the token. */
  @Test
  void t359_a_second_process_with_the_same_token_waits() {
    harness.start();
    SlackChannel second =
        new SlackChannel(
            harness.settings(SlackSettings.Mode.SOCKET),
            harness.context(),
            SlackSocketSession.MAX_SILENCE);
    try (second) {
      second.start(recorder);
      await(() -> second.status() instanceof ChannelStatus.Standby);
      assertThat(slack.sockets.count()).isOne();
      assertThat(harness.locks)
          .allSatisfy(name -> assertThat(name).doesNotContain(FakeSlack.BOT_TOKEN));
    }
  }

  /** Seen to fail when the reason of Slack is shown as it is. */
  @Test
  void too_many_sockets_are_told_as_such() {
    for (int i = 0; i < 10; i++) {
      slack.sockets.reserve();
    }
    SlackChannel channel = harness.create(SlackSettings.Mode.SOCKET);
    channel.start(recorder);
    await(() -> channel.status() instanceof ChannelStatus.Retrying);

    assertThat(((ChannelStatus.Retrying) channel.status()).reason())
        .contains("10 open sockets already");
  }

  /** Seen to fail when messages overtake each other. */
  @Test
  void t357_a_flood_of_messages_arrives_in_order_and_each_once() {
    harness.start();
    List<String> texts =
        new ArrayList<>(IntStream.range(0, 3_000).mapToObj(i -> "message " + i).toList());
    texts.forEach(text -> slack.say(CHANNEL, ANN, text));
    await(() -> slack.sockets.unacknowledged() == 0 && recorder.messages().size() == 3_000);

    assertThat(recorder.texts()).containsExactlyElementsOf(texts);
  }
}
