package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Updates that Telegram posts to the hub. */
class TelegramWebhookTest {
  private static final String URL = "https://hub.example.org/api/v1/channels/telegram/updates";

  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final RecordingListener listener = fixture.listener;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void the_channel_sets_its_webhook_and_takes_what_telegram_posts() {
    TelegramChannel channel = connected();
    telegram.push(Updates.text(1, "by post"));
    telegram.push(Updates.click("q1", 5, "allow"));

    assertThat(telegram.deliver(channel)).containsExactly(200, 200);

    assertThat(telegram.webhookUrl()).isEqualTo(URL);
    assertThat(telegram.webhookSecret()).matches("[A-Za-z0-9_-]{32,256}");
    assertThat(listener.texts()).containsExactly("by post");
    assertThat(listener.clicks).hasSize(1);
    assertThat(telegram.calls("getUpdates")).isEmpty();
  }

  /** Seen to fail when the header is not compared. */
  @Test
  void t326_a_forged_update_changes_nothing_and_a_replayed_one_has_the_same_key() {
    TelegramChannel channel = connected();
    String body = Updates.text(1, "stop everything").with("update_id", 9).toString();

    assertThat(channel.receive(call("POST", Map.of(), body)).status()).isEqualTo(401);
    assertThat(channel.receive(call("POST", secret("wrong"), body)).status()).isEqualTo(401);
    assertThat(channel.receive(call("GET", secret(telegram.webhookSecret()), body)).status())
        .isEqualTo(405);
    assertThat(listener.messages).isEmpty();

    Map<String, String> right = secret(telegram.webhookSecret());
    assertThat(channel.receive(call("POST", right, body)).status()).isEqualTo(200);
    assertThat(channel.receive(call("POST", right, body)).status()).isEqualTo(200);
    assertThat(listener.differentKeys()).isOne();
  }

  /** Seen to fail when a failure of the store is answered with 200. */
  @Test
  void t327_an_update_that_cannot_be_stored_is_not_acknowledged() {
    TelegramChannel channel = connected();
    listener.fail(new IllegalStateException("the disk is full"), _ -> true);
    telegram.push(Updates.text(1, "keep me"));

    assertThat(telegram.deliver(channel)).containsExactly(503);
    listener.repair();
    assertThat(telegram.deliver(channel)).containsExactly(200);
    assertThat(listener.texts()).containsExactly("keep me");
  }

  /** Seen to fail when Telegram is asked to send it again. */
  @Test
  void a_body_that_is_no_update_does_not_hold_up_the_others() {
    TelegramChannel channel = connected();
    Map<String, String> right = secret(telegram.webhookSecret());

    assertThat(channel.receive(call("POST", right, "[".repeat(5_000))).status()).isEqualTo(200);
    assertThat(channel.receive(call("POST", right, "{\"message\":[]}")).status()).isEqualTo(200);
  }

  @Test
  void an_album_that_comes_by_post_is_one_message() {
    TelegramChannel channel = connected();
    telegram.push(Updates.update(Updates.photo(11, "g1", "one")));
    telegram.push(Updates.update(Updates.photo(12, "g1", "two")));

    assertThat(telegram.deliver(channel)).containsExactly(200, 200);
    fixture.awaitMessages(1);

    assertThat(listener.messages.getFirst().attachments()).hasSize(2);
  }

  /** Seen to fail when an update is confirmed and not taken. */
  @Test
  void a_channel_that_has_not_started_asks_for_the_update_again() {
    fixture.useWebhook(URL);
    TelegramChannel channel = fixture.channel();
    String secret =
        new TelegramSettings(
                TelegramFixture.CHANNEL,
                telegram.url(),
                new ChannelSecret(FakeTelegram.TOKEN),
                Optional.empty(),
                false,
                TelegramFixture.TIMINGS)
            .webhookSecret()
            .reveal();

    assertThat(channel.receive(call("POST", secret(secret), "{}")).status()).isEqualTo(503);
  }

  @Test
  void a_channel_with_long_polls_takes_no_posts_and_removes_the_webhook_that_it_once_set() {
    connected().close();
    fixture.useLongPolls();
    telegram.push(Updates.text(1, "hello"));
    TelegramChannel channel = fixture.started();

    fixture.awaitMessages(1);

    assertThat(telegram.webhookUrl()).isEmpty();
    assertThat(channel.receive(call("POST", Map.of(), "{}")).status()).isEqualTo(404);
  }

  /** Seen to fail when the webhook that is set is not looked at. */
  @Test
  void the_webhook_of_another_program_is_not_replaced() {
    telegram.setWebhook("https://other.example.org/x", "");
    fixture.useWebhook(URL);
    TelegramChannel channel = fixture.started();

    TelegramFixture.await()
        .until(() ->
            channel.status() instanceof ChannelStatus.Retrying(var _, String reason)
                && reason.contains("other.example.org"));

    assertThat(telegram.calls("setWebhook")).isEmpty();
  }

  private TelegramChannel connected() {
    fixture.useWebhook(URL);
    TelegramChannel channel = fixture.started();
    TelegramFixture.await().until(() -> channel.status() instanceof ChannelStatus.Connected);
    return channel;
  }

  private static Map<String, String> secret(String value) {
    return Map.of("x-telegram-bot-api-secret-token", value);
  }

  private static HttpCall call(String method, Map<String, String> headers, String body) {
    return new HttpCall(method, headers, Map.of(), body);
  }
}
