package dev.midcourse.channels.telegram.receive;

import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.telegram.api.TelegramAnswer;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.core.json.JsonValue.Obj;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Answers clicks, so that their buttons do not stay busy. Never fails and keeps nobody waiting. */
public final class TelegramClicks {
  private static final Logger LOG = System.getLogger(TelegramClicks.class.getName());
  private static final int MAX_TEXT = 200;

  private final TelegramClient client;
  private final Duration answerTimeout;

  /**
   * @param answerTimeout after this time a click is answered without a text
   */
  public TelegramClicks(TelegramClient client, Duration answerTimeout) {
    this.client = client;
    this.answerTimeout = answerTimeout;
  }

  /** Answers with the text as soon as it is there. */
  void answer(String query, CompletableFuture<String> text) {
    Thread.ofVirtual()
        .name("telegram-click")
        .start(() -> {
          try {
            call(query, await(text));
          } catch (PlatformException e) {
            LOG.log(Level.DEBUG, "A click on Telegram was not answered: {0}", e.getMessage());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private String await(CompletableFuture<String> text) throws InterruptedException {
    try {
      return text.get(answerTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      return "";
    }
  }

  private void call(String query, String text) throws PlatformException, InterruptedException {
    Obj parameters = Obj.EMPTY.with("callback_query_id", query);
    if (!text.isBlank()) {
      int end =
          text.offsetByCodePoints(0, Math.min(MAX_TEXT, text.codePointCount(0, text.length())));
      parameters = parameters.with("text", text.substring(0, end));
    }
    if (client.call("answerCallbackQuery", parameters) instanceof TelegramAnswer.Failed failed) {
      LOG.log(Level.DEBUG, "A click on Telegram was not answered: {0}", failed.description());
    }
  }
}
