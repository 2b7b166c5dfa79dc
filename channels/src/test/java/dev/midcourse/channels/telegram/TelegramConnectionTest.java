package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest.SendText;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.telegram.receive.TelegramPollSession;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue.Obj;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the channel gets and keeps its connection, and what it says when it has none. */
class TelegramConnectionTest {
  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final RecordingListener listener = fixture.listener;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Seen to fail when the kinds of updates are not named. */
  @Test
  void a_channel_knows_its_account_and_asks_only_for_the_updates_that_it_reads() {
    TelegramChannel channel = fixture.started();
    awaitConnected(channel);

    assertThat(channel.identity()).contains(new Identity(TelegramFixture.CHANNEL, "123456"));
    assertThat(telegram.updates().allowed())
        .containsExactlyInAnyOrder("message", "edited_message", "callback_query", "my_chat_member");
  }

  /** Seen to fail when 401 is an ordinary failure, which is tried again for ever. */
  @Test
  void t305_a_revoked_token_stops_the_channel_with_a_remedy() {
    TelegramChannel channel = fixture.started();
    awaitConnected(channel);
    telegram.revokeToken();

    TelegramFixture.await().until(() -> !listener.notices.isEmpty());
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Stopped.class);

    assertThat(channel.status().toString()).contains("@BotFather").doesNotContain("AAfake");
    assertThat(listener.notices).hasSize(1);
    assertThat(listener.notices.getFirst()).isInstanceOf(ChannelNotice.Stopped.class);
    SendResult result =
        channel.send(
            TelegramFixture.ID, new SendText(TelegramFixture.to(42), "hello", Optional.empty()));
    assertThat(result).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when 409 is an ordinary failure. */
  @Test
  void t306_a_second_program_with_the_token_is_named_and_not_fought() throws Exception {
    TelegramChannel channel = fixture.started();
    awaitConnected(channel);
    TelegramFixture.await().until(() -> telegram.calls("getUpdates").size() >= 2);

    var _ = telegram.updates().poll(0, 100, 0);
    TelegramFixture.await()
        .until(() ->
            channel.status() instanceof ChannelStatus.Retrying(var _, String reason)
                && reason.contains("another program receives with the same token"));

    awaitConnected(channel);
    telegram.push(Updates.text(1, "hello again"));
    fixture.awaitMessages(1);
  }

  /** Seen to fail when the delay has no limit. */
  @Test
  void the_delay_after_conflicts_grows_to_five_minutes() {
    Duration first = Duration.ofSeconds(15);

    assertThat(TelegramPollSession.delayAfter(0, first)).isEqualTo(first);
    assertThat(TelegramPollSession.delayAfter(1, first)).isEqualTo(Duration.ofSeconds(30));
    assertThat(TelegramPollSession.delayAfter(1_000_000, first)).isEqualTo(Duration.ofMinutes(5));
  }

  /** Seen to fail when the channel deletes every webhook that it finds. */
  @Test
  void t307_the_webhook_of_another_program_is_named_and_left_alone() {
    telegram.setWebhook("https://other.example.org/secret-path", "");
    TelegramChannel channel = fixture.started();

    TelegramFixture.await()
        .until(() ->
            channel.status() instanceof ChannelStatus.Retrying(var _, String reason)
                && reason.contains("other.example.org")
                && !reason.contains("secret-path"));

    assertThat(telegram.calls("deleteWebhook")).isEmpty();
    assertThat(telegram.webhookUrl()).isNotEmpty();
  }

  /** Seen to fail when pending updates are dropped with the webhook. */
  @Test
  void take_over_removes_the_webhook_of_another_program_and_keeps_what_waits() {
    telegram.setWebhook("https://other.example.org/x", "");
    telegram.push(Updates.text(1, "I waited"));
    fixture.takeOver();
    fixture.started();

    fixture.awaitMessages(1);

    assertThat(telegram.webhookUrl()).isEmpty();
  }

  /** Seen to fail when the time of the last poll is not stored. */
  @Test
  void t308_clicks_that_telegram_has_thrown_away_are_told() {
    TelegramChannel before = fixture.started();
    awaitStored();
    Instant from = fixture.clock.instant();
    before.close();
    telegram.push(Updates.click("q1", 5, "allow"));
    telegram.push(Updates.text(1, "and a message"));
    fixture.clock.move(Duration.ofMinutes(10));

    fixture.started();
    fixture.awaitMessages(1);

    assertThat(listener.clicks).isEmpty();
    assertThat(listener.notices)
        .containsExactly(
            new ChannelNotice.Gap(
                Optional.empty(),
                from,
                fixture.clock.instant().minusSeconds(150),
                "clicks on buttons"));
  }

  /** Seen to fail when every time without a hub is a gap. */
  @Test
  void a_short_time_without_a_hub_is_no_gap() {
    TelegramChannel before = fixture.started();
    awaitStored();
    before.close();
    fixture.clock.move(Duration.ofSeconds(140));
    telegram.push(Updates.text(1, "still there?"));

    fixture.started();
    fixture.awaitMessages(1);

    assertThat(listener.notices).isEmpty();
  }

  /** Seen to fail when only clicks are told as missing. */
  @Test
  void messages_older_than_a_day_are_told_as_missing() {
    TelegramChannel before = fixture.started();
    awaitStored();
    before.close();
    telegram.push(Updates.text(1, "lost"));
    fixture.clock.move(Duration.ofHours(30));
    telegram.push(Updates.text(2, "found"));

    fixture.started();
    fixture.awaitMessages(1);

    assertThat(listener.texts()).containsExactly("found");
    assertThat(listener.notices).hasSize(1);
    assertThat(listener.notices.getFirst().toString()).contains("messages and clicks on buttons");
  }

  @Test
  void a_connection_that_is_lost_for_an_hour_is_repaired_and_told_once() {
    TelegramChannel channel = fixture.started();
    awaitStored();
    telegram.failUntilRecovery("getUpdates");
    telegram.push(Updates.text(1, "wakes the poll"));
    TelegramFixture.await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
    fixture.clock.move(Duration.ofHours(1));
    telegram.push(Updates.text(2, "after an hour"));
    telegram.recover("getUpdates");

    fixture.awaitMessages(2);
    awaitConnected(channel);

    assertThat(listener.texts()).containsExactly("wakes the poll", "after an hour");
    assertThat(listener.notices).hasSize(1);
    assertThat(listener.notices.getFirst()).isInstanceOf(ChannelNotice.Gap.class);
  }

  @Test
  void a_proxy_that_refuses_a_call_does_not_stop_the_channel() {
    telegram.failNext("getMe", 401, "The proxy asks for a password", Obj.EMPTY);
    TelegramChannel channel = fixture.started();

    awaitConnected(channel);
    assertThat(listener.notices).isEmpty();
  }

  @Test
  void a_limit_of_telegram_on_polls_is_obeyed() {
    telegram.failNext(
        "getUpdates", 429, "Too Many Requests: retry after 1", Obj.EMPTY.with("retry_after", 1));
    TelegramChannel channel = fixture.started();
    awaitConnected(channel);

    assertThat(channel.identity()).isPresent();
  }

  /** Seen to fail when the text of an error is passed on as it is. */
  @Test
  void t324_the_token_is_in_no_log_and_no_error() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Logger root = Logger.getLogger("dev.midcourse");
    Handler recorder = recorder(logged);
    Level before = root.getLevel();
    root.setLevel(Level.ALL);
    root.addHandler(recorder);
    try {
      TelegramChannel channel = fixture.started();
      awaitConnected(channel);
      telegram.failNext("sendMessage", 400, "Bad Request: bot" + FakeTelegram.TOKEN, Obj.EMPTY);
      var text = new SendText(TelegramFixture.to(42), "hello", Optional.empty());
      logged.add(channel.send(TelegramFixture.ID, text).toString());
      telegram.cutNext("sendMessage");
      logged.add(channel.send(TelegramFixture.ID, text).toString());
      telegram.close();
      TelegramFixture.await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
      logged.add(channel.send(TelegramFixture.ID, text).toString());
      logged.add(channel.status().toString());

      assertThat(logged).hasSizeGreaterThan(4);
      assertThat(logged).noneMatch(line -> line.contains("AAfake"));
    } finally {
      root.removeHandler(recorder);
      root.setLevel(before);
    }
  }

  private static Handler recorder(List<String> logged) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        logged.add(
            record.getMessage()
                + List.of(Optional.ofNullable(record.getParameters()).orElse(new Object[0]))
                + record.getThrown());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private static void awaitConnected(TelegramChannel channel) {
    TelegramFixture.await().until(() -> channel.status() instanceof ChannelStatus.Connected);
  }

  private void awaitStored() {
    TelegramFixture.await().until(() -> fixture.state.get("complete-123456").isPresent());
  }
}
