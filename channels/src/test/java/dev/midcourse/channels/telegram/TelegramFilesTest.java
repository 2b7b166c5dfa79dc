package dev.midcourse.channels.telegram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.ChannelRequest.SendFile;
import dev.midcourse.channels.SendResult;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files to people and from people. */
class TelegramFilesTest {
  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final TelegramChannel channel = fixture.channel();

  @TempDir Path folder;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a_file_is_sent_with_its_name_and_caption() throws IOException {
    Path file = Files.writeString(folder.resolve("x"), "two\r\nlines ü");

    SendResult result = send(file, "Übersicht.txt", Optional.of("**the** list"));

    assertThat(result).isInstanceOf(SendResult.Sent.class);
    FakeTelegram.Call call = telegram.calls("sendDocument").getFirst();
    assertThat(call.files().get("document"))
        .isEqualTo(new FakeForm.Upload("Übersicht.txt", "two\r\nlines ü"));
    assertThat(call.parameters().string("caption")).contains("<b>the</b> list");
    assertThat(call.parameters().number("chat_id")).contains(42L);
  }

  /** Seen to fail when the name is neither made safe nor escaped. */
  @Test
  void t325_a_hostile_file_name_stays_within_its_field() throws IOException {
    Path file = Files.writeString(folder.resolve("x"), "content");

    send(file, "a\"\r\n\r\n--midcourse\r\nname=\"chat_id\".sh", Optional.empty());

    FakeTelegram.Call call = telegram.calls("sendDocument").getFirst();
    assertThat(call.files().keySet()).containsExactly("document");
    assertThat(call.files().values().iterator().next().name()).doesNotContain("\"", "\n");
    assertThat(call.files().values().iterator().next().text()).isEqualTo("content");
    assertThat(call.parameters().fields().keySet()).containsExactly("chat_id");
  }

  @Test
  void a_long_caption_is_cut_and_a_file_that_is_gone_is_refused() throws IOException {
    Path file = Files.writeString(folder.resolve("x"), "content");

    assertThat(send(file, "x.txt", Optional.of("👍".repeat(2_000))))
        .isInstanceOf(SendResult.Sent.class);
    Files.delete(file);
    assertThat(send(file, "x.txt", Optional.empty())).isInstanceOf(SendResult.Refused.class);
  }

  @Test
  void a_file_of_a_person_is_fetched() throws IOException {
    telegram.files.put("doc1", "their notes".getBytes(UTF_8));
    Path target = folder.resolve("notes");

    channel.fetch(attachment("doc1"), target, 100);

    assertThat(target).hasContent("their notes");
  }

  /** Seen to fail when a part of a file stays. */
  @Test
  void a_file_over_the_limit_leaves_nothing_behind() {
    telegram.files.put("doc1", new byte[1_000]);
    Path target = folder.resolve("notes");

    assertThatThrownBy(() -> channel.fetch(attachment("doc1"), target, 999))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("999 bytes");
    assertThat(target).doesNotExist();
  }

  @Test
  void a_file_that_telegram_does_not_give_says_why() {
    telegram.failNext("getFile", 400, "Bad Request: file is too big", JsonValue.Obj.EMPTY);

    assertThatThrownBy(() -> channel.fetch(attachment("big"), folder.resolve("x"), 100))
        .hasMessageContaining("20 MB");
    assertThatThrownBy(() -> channel.fetch(attachment("gone"), folder.resolve("x"), 100))
        .hasMessageContaining("invalid file_id")
        .hasMessageNotContaining("AAfake");
  }

  /** Seen to fail when the steps of a path are not looked at. */
  @ParameterizedTest
  @ValueSource(strings = {"../../bot/getMe", "/etc/passwd", "a//b", "a\\b", ".hidden", "a/../b"})
  void a_path_that_leads_elsewhere_is_not_asked_for(String path) {
    telegram.files.put("doc1", new byte[1]);
    telegram.filePaths.put("doc1", path);

    assertThatThrownBy(() -> channel.fetch(attachment("doc1"), folder.resolve("x"), 100))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not known");
  }

  private SendResult send(Path file, String name, Optional<String> caption) {
    return channel.send(
        TelegramFixture.ID, new SendFile(TelegramFixture.to(42), file, name, caption));
  }

  private static Attachment attachment(String id) {
    return new Attachment("x", "text/plain", 10, id, Optional.empty());
  }
}
