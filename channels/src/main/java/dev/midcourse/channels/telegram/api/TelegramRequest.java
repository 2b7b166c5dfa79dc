package dev.midcourse.channels.telegram.api;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A call that sends or changes something.
 *
 * @param plain the text without markup, for when Telegram does not take the markup
 * @param file the file that goes with it
 */
public record TelegramRequest(
    String method, Obj parameters, Optional<String> plain, Optional<ChannelRequest.SendFile> file) {

  public TelegramRequest(String method, Obj parameters) {
    this(method, parameters, Optional.empty(), Optional.empty());
  }

  /**
   * Returns the call that may succeed after this failure, which certainly had no effect. Empty if
   * there is none.
   */
  public Optional<TelegramRequest> corrected(TelegramAnswer.Failed failed) {
    if (failed.code() != 400) {
      return Optional.empty();
    }
    if (failed.movedTo().isPresent()) {
      return Optional.of(with("chat_id", new JsonValue.Num(failed.movedTo().get())));
    }
    boolean markup =
        failed.says("can't parse entities") || failed.says("too long") || failed.says("is empty");
    if (markup && plain.isPresent() && parameters.get("parse_mode").isPresent()) {
      return Optional.of(plain(plain.get()));
    }
    if (failed.says("thread not found") && parameters.get("message_thread_id").isPresent()) {
      return Optional.of(without("message_thread_id"));
    }
    return Optional.empty();
  }

  private TelegramRequest plain(String text) {
    String field = parameters.get("caption").isPresent() ? "caption" : "text";
    return without("parse_mode").with(field, new JsonValue.Str(text));
  }

  private TelegramRequest with(String name, JsonValue value) {
    return new TelegramRequest(method, parameters.with(name, value), plain, file);
  }

  private TelegramRequest without(String name) {
    Map<String, JsonValue> fewer = new LinkedHashMap<>(parameters.fields());
    fewer.remove(name);
    return new TelegramRequest(method, new Obj(fewer), plain, file);
  }
}
