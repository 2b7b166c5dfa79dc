package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.telegram.TelegramChannel;
import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramLogin;
import dev.midcourse.channels.telegram.api.TelegramSettings;
import dev.midcourse.core.json.JsonValue.Obj;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps the webhook set, by which Telegram calls the hub. The updates themselves come through
 * {@link TelegramChannel#receive}.
 */
public final class TelegramWebhookSession implements ReceiveLoop.Session {
  public static final String STATE = "webhook";
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(60);

  private final TelegramClient client;
  private final TelegramLogin login;
  private final TelegramGap gap;
  private final Consumer<TelegramBot> account;
  private final TelegramSettings settings;
  private final URI url;
  private final ChannelState state;

  public TelegramWebhookSession(
      TelegramClient client,
      TelegramLogin login,
      TelegramGap gap,
      Consumer<TelegramBot> account,
      TelegramSettings settings,
      ChannelState state) {
    this.client = client;
    this.login = login;
    this.gap = gap;
    this.account = account;
    this.settings = settings;
    this.url = settings.webhook().orElseThrow();
    this.state = state;
  }

  @Override
  public void run(ReceiveLoop.Connection connection) throws Exception {
    account.accept(login.bot());
    login.requireOurs(login.webhook().filter(set -> !isOurs(set)), state.get(STATE));
    set();
    state.put(STATE, url.toString());
    connection.opened();
    gap.report();
    while (connection.isWanted()) {
      gap.position().complete();
      Thread.sleep(CHECK_INTERVAL);
      Optional<String> now = login.webhook();
      if (now.filter(this::isOurs).isEmpty()) {
        throw new RetryLaterException(
            "another program has changed the webhook of this bot", Duration.ofSeconds(1));
      }
    }
  }

  private boolean isOurs(String set) {
    return set.equals(url.toString());
  }

  /** One connection at a time, so that updates come in their order. */
  private void set() throws Exception {
    TelegramLogin.ok(
        client.call(
            "setWebhook",
            Obj.EMPTY
                .with("url", url.toString())
                .with("secret_token", settings.webhookSecret().reveal())
                .with("max_connections", 1)
                .with("allowed_updates", TelegramClient.texts(TelegramPollSession.UPDATES))));
  }
}
