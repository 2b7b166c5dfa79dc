package dev.midcourse.channels.telegram;

import dev.midcourse.core.json.JsonValue.Obj;
import java.util.Optional;

/** What a fake Telegram answers. */
final class FakeAnswers {
  private FakeAnswers() {}

  static Obj me(boolean readsGroups) {
    return Obj.EMPTY
        .with("id", FakeTelegram.BOT)
        .with("is_bot", true)
        .with("first_name", "Midcourse")
        .with("username", FakeTelegram.USERNAME)
        .with("can_join_groups", true)
        .with("can_read_all_group_messages", readsGroups)
        .with("supports_inline_queries", false);
  }

  static Obj message(FakeChats.Sent sent, Optional<FakeForm.Upload> file) {
    Obj message =
        Obj.EMPTY
            .with("message_id", sent.id())
            .with("date", 1_790_000_000)
            .with("chat", Obj.EMPTY.with("id", sent.chat()).with("type", "private"))
            .with(
                "from",
                Obj.EMPTY.with("id", FakeTelegram.BOT).with("is_bot", true).with("first_name", "M"))
            .with("text", sent.parameters().string("text"));
    if (file.isPresent()) {
      message =
          message.with(
              "document",
              Obj.EMPTY
                  .with("file_id", "f" + sent.id())
                  .with("file_unique_id", "u" + sent.id())
                  .with("file_name", file.get().name()));
    }
    return message;
  }

  static Obj failure(int code, String description, Obj parameters) {
    Obj failure =
        Obj.EMPTY.with("ok", false).with("error_code", code).with("description", description);
    return parameters.fields().isEmpty() ? failure : failure.with("parameters", parameters);
  }
}
