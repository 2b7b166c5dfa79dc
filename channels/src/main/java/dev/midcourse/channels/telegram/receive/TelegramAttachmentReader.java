package dev.midcourse.channels.telegram.receive;

import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.json.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads which file came with a message; Telegram puts at most one into each. */
final class TelegramAttachmentReader {
  private static final Pattern FILE_ID = Pattern.compile("[A-Za-z0-9_-]{1,300}");
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9.+_-]{1,100}/[A-Za-z0-9.+_-]{1,100}");
  private static final String UNKNOWN_TYPE = "application/octet-stream";

  private TelegramAttachmentReader() {}

  static List<Attachment> read(JsonValue.Obj message) {
    return photo(message)
        .or(() -> file(message.object("animation"), "animation.mp4", "video/mp4"))
        .or(() -> file(message.object("document"), "document", UNKNOWN_TYPE))
        .or(() -> file(message.object("video"), "video.mp4", "video/mp4"))
        .or(() -> file(message.object("audio"), "audio.mp3", "audio/mpeg"))
        .or(() -> file(message.object("voice"), "voice.ogg", "audio/ogg"))
        .or(() -> file(message.object("video_note"), "video.mp4", "video/mp4"))
        .map(List::of)
        .orElse(List.of());
  }

  /** The largest size of a photo. */
  private static Optional<Attachment> photo(JsonValue.Obj message) {
    return message.objects("photo").stream()
        .max(
            Comparator.comparingLong(
                size -> size.number("width").orElse(0L) * size.number("height").orElse(0L)))
        .flatMap(size -> file(size, "photo.jpg", "image/jpeg"));
  }

  private static Optional<Attachment> file(JsonValue.Obj file, String name, String type) {
    return file.string("file_id")
        .filter(id -> FILE_ID.matcher(id).matches())
        .map(id ->
            new Attachment(
                file.string("file_name").flatMap(TelegramText::name).orElse(name),
                file.string("mime_type")
                    .filter(told -> MEDIA_TYPE.matcher(told).matches())
                    .orElse(type),
                file.number("file_size").filter(bytes -> bytes >= 0).orElse(0L),
                id,
                Optional.empty()));
  }
}
