package dev.midcourse.channels.telegram.api;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** What a session asks before it receives: who the bot is, and who else gets its updates. */
public final class TelegramLogin {
  private static final Duration OTHER_WEBHOOK_DELAY = Duration.ofMinutes(1);
  private static final String TOKEN_REMEDY =
      "Ask @BotFather for the token of the bot (/mybots, API Token), put it where token_file or"
          + " token_command reads it, and restart the hub.";

  private final TelegramSettings settings;
  private final TelegramClient client;

  public TelegramLogin(TelegramSettings settings, TelegramClient client) {
    this.settings = settings;
    this.client = client;
  }

  /** Returns our own account. */
  public TelegramBot bot()
      throws IOException, InterruptedException, PermanentFailureException, RetryLaterException {
    Obj me = ok(client.call("getMe", Obj.EMPTY)).object();
    Optional<String> id = me.text("id");
    Optional<String> username = me.string("username");
    if (id.isEmpty() || username.isEmpty()) {
      throw new IOException("Telegram did not say who the bot is");
    }
    return new TelegramBot(id.get(), username.get(), me.is("can_read_all_group_messages"));
  }

  /** The address of the webhook of the bot, of whatever program; empty without one. */
  public Optional<String> webhook()
      throws IOException, InterruptedException, PermanentFailureException, RetryLaterException {
    return ok(client.call("getWebhookInfo", Obj.EMPTY))
        .object()
        .string("url")
        .filter(url -> !url.isEmpty());
  }

  /**
   * Refuses to take the updates away from another program, unless the settings say so.
   *
   * @param set the webhook of the bot
   * @param ours the webhook that this channel has set
   */
  public void requireOurs(Optional<String> set, Optional<String> ours) throws RetryLaterException {
    if (set.isPresent() && !set.equals(ours) && !settings.takeOver()) {
      throw new RetryLaterException(
          "another program gets the updates of this bot, by a webhook at "
              + host(set.get())
              + "; remove it there, or set take_over = true",
          OTHER_WEBHOOK_DELAY);
    }
  }

  /** The host of a webhook; the rest of its address may be a secret. */
  public static String host(String url) {
    try {
      return Optional.ofNullable(URI.create(url).getHost()).orElse("an unknown host");
    } catch (IllegalArgumentException e) {
      return "an unknown host";
    }
  }

  /** Returns the success, and says of a failure what a session has to do about it. */
  public static TelegramAnswer.Ok ok(TelegramAnswer answer)
      throws IOException, PermanentFailureException, RetryLaterException {
    return switch (answer) {
      case TelegramAnswer.Ok ok -> ok;
      case TelegramAnswer.Failed failed -> {
        if (failed.isBadToken()) {
          throw new PermanentFailureException(
              "Telegram does not accept the token ("
                  + failed.code()
                  + "): it was revoked or is wrong",
              TOKEN_REMEDY);
        }
        if (failed.retryAfter().isPresent()) {
          throw new RetryLaterException(failed.description(), failed.retryAfter().get());
        }
        throw new IOException(failed.description());
      }
    };
  }
}
