package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.telegram.api.TelegramAnswer;
import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramLogin;
import dev.midcourse.channels.telegram.api.TelegramTimings;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Receives by long polls. A poll confirms to Telegram what the poll before has brought, so it is
 * made only when all of that is durable.
 */
public final class TelegramPollSession implements ReceiveLoop.Session {
  static final String[] UPDATES = {"message", "edited_message", "callback_query", "my_chat_member"};
  private static final Logger LOG = System.getLogger(TelegramPollSession.class.getName());
  private static final int LIMIT = 100;
  private static final Duration ANSWER_TIME = Duration.ofSeconds(10);
  private static final Duration MAX_CONFLICT_DELAY = Duration.ofMinutes(5);
  private static final Duration OTHER_WEBHOOK_DELAY = Duration.ofSeconds(1);
  private static final int MAX_DOUBLINGS = 10;

  private final TelegramClient client;
  private final TelegramLogin login;
  private final TelegramPosition position;
  private final TelegramGap gap;
  private final Function<TelegramBot, TelegramUpdateHandler> handlers;
  private final TelegramTimings timings;
  private final ChannelState state;
  private int conflicts; // only the thread of the loop uses it

  /**
   * @param handlers makes the handler of updates for our account
   * @param state has the webhook that this channel has set when it used one
   */
  public TelegramPollSession(
      TelegramClient client,
      TelegramLogin login,
      TelegramGap gap,
      Function<TelegramBot, TelegramUpdateHandler> handlers,
      TelegramTimings timings,
      ChannelState state) {
    this.client = client;
    this.login = login;
    this.gap = gap;
    this.position = gap.position();
    this.handlers = handlers;
    this.timings = timings;
    this.state = state;
  }

  @Override
  public void run(ReceiveLoop.Connection connection) throws Exception {
    TelegramUpdateHandler handler = handlers.apply(login.bot());
    removeWebhook();
    Duration wait = Duration.ZERO; // so that it is known at once whether Telegram lets us receive
    while (connection.isWanted()) {
      List<Obj> updates = poll(wait);
      if (wait.isZero()) {
        connection.opened();
        gap.report();
        wait = timings.poll();
      } else {
        conflicts = 0;
      }
      handle(updates, handler);
      position.complete();
    }
  }

  private void removeWebhook()
      throws IOException, InterruptedException, PermanentFailureException, RetryLaterException {
    Optional<String> set = login.webhook();
    if (set.isEmpty()) {
      return;
    }
    login.requireOurs(set, state.get(TelegramWebhookSession.STATE));
    LOG.log(
        Level.INFO,
        "Removing the webhook of the bot at {0}: this channel receives by long polls.",
        TelegramLogin.host(set.get()));
    TelegramLogin.ok(client.call("deleteWebhook", Obj.EMPTY.with("drop_pending_updates", false)));
  }

  private List<Obj> poll(Duration wait)
      throws IOException, InterruptedException, PermanentFailureException, RetryLaterException {
    Obj parameters =
        Obj.EMPTY
            .with("limit", LIMIT)
            .with("timeout", wait.toSeconds())
            .with("allowed_updates", TelegramClient.texts(UPDATES));
    Optional<Long> next = position.next();
    if (next.isPresent()) {
      parameters = parameters.with("offset", next.get());
    }
    TelegramAnswer answer = client.call("getUpdates", parameters, wait.plus(ANSWER_TIME));
    if (answer instanceof TelegramAnswer.Failed failed && failed.code() == 409) {
      throw conflict(failed);
    }
    return TelegramLogin.ok(answer).objects();
  }

  /** Another program has the updates. Fighting for them would take half of them from each. */
  private RetryLaterException conflict(TelegramAnswer.Failed failed) {
    if (failed.says("webhook")) {
      return new RetryLaterException(
          "another program has set a webhook for this bot", OTHER_WEBHOOK_DELAY);
    }
    return new RetryLaterException(
        "another program receives with the same token; end it, or give this channel a bot of its"
            + " own",
        delayAfter(conflicts++, timings.conflict()));
  }

  /** Doubles with each conflict in a row. */
  public static Duration delayAfter(int conflicts, Duration first) {
    Duration doubled = first.multipliedBy(1L << Math.min(conflicts, MAX_DOUBLINGS));
    return doubled.compareTo(MAX_CONFLICT_DELAY) > 0 ? MAX_CONFLICT_DELAY : doubled;
  }

  /** Stores the position also if one of the updates could not be stored: behind the one before. */
  private void handle(List<Obj> updates, TelegramUpdateHandler handler) throws IOException {
    Optional<Long> last = Optional.empty();
    try {
      for (Obj update : updates) {
        handler.handle(update);
        Optional<Long> number = update.number("update_id");
        last = number.isPresent() ? number : last;
      }
    } finally {
      last.ifPresent(position::advance);
    }
    if (!updates.isEmpty() && last.isEmpty()) {
      throw new IOException("Telegram sent updates without numbers");
    }
  }
}
