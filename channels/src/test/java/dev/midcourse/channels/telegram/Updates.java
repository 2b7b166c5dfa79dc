package dev.midcourse.channels.telegram;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.List;

/** Updates of Telegram, as people cause them. */
final class Updates {
  static final long ANN = 42;
  static final long GROUP = -1_001_234_567_890L;
  private static final long DATE = 1_772_359_200;

  private Updates() {}

  static Obj json(String json) {
    return JsonReader.readObject(json.replace('\'', '"'));
  }

  static Obj person(long id) {
    return Obj.EMPTY.with("id", id).with("is_bot", false).with("first_name", "Ann");
  }

  static Obj direct() {
    return Obj.EMPTY.with("id", ANN).with("type", "private").with("first_name", "Ann");
  }

  static Obj group() {
    return Obj.EMPTY.with("id", GROUP).with("type", "supergroup").with("title", "The team");
  }

  /** A message of Ann without content. */
  static Obj message(long id, Obj chat) {
    return Obj.EMPTY
        .with("message_id", id)
        .with("from", person(ANN))
        .with("chat", chat)
        .with("date", DATE);
  }

  static Obj text(long id, String text) {
    return update(message(id, direct()).with("text", text));
  }

  static Obj update(Obj message) {
    return Obj.EMPTY.with("message", message);
  }

  static Obj edit(Obj message, long date) {
    return Obj.EMPTY.with("edited_message", message.with("edit_date", date));
  }

  static Obj entity(String type, int offset, int length) {
    return Obj.EMPTY.with("type", type).with("offset", offset).with("length", length);
  }

  static Obj withEntities(Obj message, Obj... entities) {
    return message.with("entities", new Arr(List.<JsonValue>of(entities)));
  }

  static Obj click(String query, long message, String button) {
    return Obj.EMPTY.with(
        "callback_query",
        Obj.EMPTY
            .with("id", query)
            .with("from", person(ANN))
            .with("chat_instance", "7")
            .with("message", message(message, direct()).with("text", "card"))
            .with("data", button));
  }

  static Obj photo(long id, String group, String file) {
    return message(id, direct())
        .with("media_group_id", group)
        .with("photo", new Arr(List.of(size(file + "_small", 90), size(file, 1_280))));
  }

  private static Obj size(String file, int width) {
    return Obj.EMPTY
        .with("file_id", file)
        .with("file_unique_id", "u" + file)
        .with("width", width)
        .with("height", 60)
        .with("file_size", 1_000);
  }

  static Obj member(String before, String after) {
    return Obj.EMPTY.with(
        "my_chat_member",
        Obj.EMPTY
            .with("chat", group())
            .with("from", person(ANN))
            .with("date", DATE)
            .with("old_chat_member", status(before))
            .with("new_chat_member", status(after)));
  }

  private static Obj status(String status) {
    Obj user =
        Obj.EMPTY.with("id", FakeTelegram.BOT).with("is_bot", true).with("first_name", "Midcourse");
    Obj member = Obj.EMPTY.with("status", status).with("user", user);
    return status.equals("kicked") ? member.with("until_date", 0) : member;
  }
}
