package dev.midcourse.channels.mail;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;

/**
 * What an answer in a thread needs of the mails before it.
 *
 * @param id the thread
 * @param subject the subject of the thread, without {@code Re:}
 * @param root the id of its first mail
 * @param last the id of the newest mail of the person
 */
record MailThread(String id, String subject, String root, String last) {

  String toJson() {
    return JsonValue.Obj.EMPTY
        .with("id", id)
        .with("subject", subject)
        .with("root", root)
        .with("last", last)
        .toString();
  }

  static Optional<MailThread> ofJson(String text) {
    try {
      JsonValue.Obj fields = JsonReader.readObject(text);
      return Optional.of(
          new MailThread(
              fields.string("id").orElse(""),
              fields.string("subject").orElse(""),
              fields.string("root").orElse(""),
              fields.string("last").orElse("")));
    } catch (JsonException invalid) {
      return Optional.empty();
    }
  }
}
