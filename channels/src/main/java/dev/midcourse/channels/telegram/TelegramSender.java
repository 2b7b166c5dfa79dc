package dev.midcourse.channels.telegram;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.MultipartBody;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.telegram.api.TelegramAnswer;
import dev.midcourse.channels.telegram.api.TelegramClient;
import dev.midcourse.channels.telegram.api.TelegramRequest;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.FileNotFoundException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Carries out one request and says what is known about its result. Makes a second call only after
 * one that certainly had no effect: without markup that Telegram does not take, without a topic
 * that is gone, or to the new id of a chat.
 */
final class TelegramSender {
  private static final int MAX_CORRECTIONS = 3;
  private static final Duration BAD_TOKEN_DELAY = Duration.ofMinutes(5);
  private static final Duration TYPING_TIMEOUT = Duration.ofSeconds(5);

  private final TelegramClient client;
  private final BiConsumer<String, String> moved;

  /**
   * @param moved is told the old and the new id of a chat
   */
  TelegramSender(TelegramClient client, BiConsumer<String, String> moved) {
    this.client = client;
    this.moved = moved;
  }

  SendResult send(ChannelRequest request) {
    try {
      return carryOut(request);
    } catch (RefusedException refused) {
      return new SendResult.Refused(refused.description());
    } catch (FileNotFoundException gone) {
      return new SendResult.Refused("the file is no longer there");
    } catch (PlatformException e) {
      return e.sendResult();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for Telegram");
    }
  }

  /** Shows for five seconds that an answer is being written. Never fails. */
  void showTyping(ChatAddress to) {
    try {
      client.call(
          "sendChatAction",
          TelegramRequestWriter.place(to).with("action", "typing"),
          TYPING_TIMEOUT);
    } catch (RefusedException | PlatformException nobodyMissesIt) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SendResult carryOut(ChannelRequest request)
      throws PlatformException, FileNotFoundException, InterruptedException {
    TelegramRequest call = TelegramRequestWriter.write(request);
    return switch (callCorrected(call)) {
      case TelegramAnswer.Ok ok -> sent(ok, request);
      case TelegramAnswer.Failed failed -> failure(failed, request);
    };
  }

  private TelegramAnswer callCorrected(TelegramRequest first)
      throws PlatformException, FileNotFoundException, InterruptedException {
    TelegramRequest request = first;
    TelegramAnswer answer = call(request);
    for (int i = 0; i < MAX_CORRECTIONS; i++) {
      if (!(answer instanceof TelegramAnswer.Failed failed)) {
        return answer;
      }
      Optional<TelegramRequest> corrected = request.corrected(failed);
      if (corrected.isEmpty()) {
        return answer;
      }
      if (failed.movedTo().isPresent()) {
        moved.accept(request.parameters().text("chat_id").orElse(""), failed.movedTo().get());
      }
      request = corrected.get();
      answer = call(request);
    }
    return answer;
  }

  private TelegramAnswer call(TelegramRequest request)
      throws PlatformException, FileNotFoundException, InterruptedException {
    if (request.file().isEmpty()) {
      return client.call(request.method(), request.parameters());
    }
    ChannelRequest.SendFile file = request.file().get();
    Map<String, String> fields = new LinkedHashMap<>();
    request
        .parameters()
        .fields()
        .forEach((name, value) ->
            fields.put(
                name,
                value instanceof JsonValue.Str(String text) ? text : JsonWriter.compact(value)));
    MultipartBody form = new MultipartBody();
    fields.forEach(form::field);
    return client.upload(
        request.method(),
        form.file(
            "document",
            FileName.safe(file.name()).value(),
            "application/octet-stream",
            file.file()));
  }

  private static SendResult sent(TelegramAnswer.Ok ok, ChannelRequest request) {
    Optional<String> told = ok.object().text("message_id");
    return switch (request) {
      case ChannelRequest.EditText(var _, String message, var _) -> new SendResult.Sent(message);
      case ChannelRequest.CloseCard(var _, String message, var _) -> new SendResult.Sent(message);
      case ChannelRequest.SetReaction(var _, String message, var _) -> new SendResult.Sent(message);
      case ChannelRequest.SendText _, ChannelRequest.SendCard _, ChannelRequest.SendFile _ ->
          told.<SendResult>map(SendResult.Sent::new)
              .orElseGet(() -> new SendResult.Unknown("Telegram did not name the new message"));
    };
  }

  private SendResult failure(TelegramAnswer.Failed failed, ChannelRequest request)
      throws PlatformException, FileNotFoundException, InterruptedException {
    if (failed.code() == 400 && failed.says("message is not modified")) {
      return new SendResult.Sent(changed(request));
    }
    if (failed.code() == 400
        && failed.says("reaction")
        && request instanceof ChannelRequest.SetReaction reaction) {
      return inWords(reaction);
    }
    return failure(failed);
  }

  private static String changed(ChannelRequest request) {
    return switch (request) {
      case ChannelRequest.EditText(var _, String message, var _) -> message;
      case ChannelRequest.CloseCard(var _, String message, var _) -> message;
      case ChannelRequest.SetReaction(var _, String message, var _) -> message;
      case ChannelRequest.SendText _, ChannelRequest.SendCard _, ChannelRequest.SendFile _ ->
          throw new IllegalStateException("Telegram takes a new message for an edit");
    };
  }

  /** The chat allows other reactions only. What a person must know is said in words. */
  private SendResult inWords(ChannelRequest.SetReaction reaction)
      throws PlatformException, FileNotFoundException, InterruptedException {
    Optional<TelegramRequest> sentence = TelegramRequestWriter.sentence(reaction);
    if (sentence.isPresent()
        && callCorrected(sentence.get()) instanceof TelegramAnswer.Failed failed) {
      return failure(failed);
    }
    return new SendResult.Sent(reaction.message());
  }

  private static SendResult failure(TelegramAnswer.Failed failed) {
    if (failed.retryAfter().isPresent() || failed.code() == 429) {
      return new SendResult.RetryAfter(
          failed.retryAfter().orElse(Duration.ZERO), failed.description());
    }
    if (failed.isBadToken()) {
      return new SendResult.RetryAfter(
          BAD_TOKEN_DELAY, "Telegram does not accept the token of the bot; it needs a new one");
    }
    return failed.code() >= 500
        ? new SendResult.Unknown(failed.description())
        : new SendResult.Refused(failed.description());
  }
}
