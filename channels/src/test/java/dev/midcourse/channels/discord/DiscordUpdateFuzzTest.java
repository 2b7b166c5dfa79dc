package dev.midcourse.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.discord.api.DiscordPlace;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.discord.gateway.DiscordUpdateReader;
import dev.midcourse.channels.discord.gateway.GatewayPosition;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every object of Discord gives a message or a click that can be stored, or nothing. As an ordinary
 * test it uses the examples; {@code JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class DiscordUpdateFuzzTest {
  private static final DiscordUpdateReader READER =
      new DiscordUpdateReader(ChannelName.of("discord"));
  private static final DiscordUpdateReader.Setting SETTING =
      new DiscordUpdateReader.Setting(
          "1",
          Optional.of("2"),
          new ChatFacts(ChatKind.GROUP, true, Optional.empty()),
          "7",
          Set.of("8"));

  @MethodSource("objects")
  @FuzzTest(maxDuration = "2m")
  void an_object_of_discord(@NotNull String json) {
    JsonValue.Obj object;
    try {
      object = JsonReader.readObject(json);
    } catch (JsonException notJson) {
      return;
    }
    for (InboundKind kind : new InboundKind[] {InboundKind.MESSAGE, InboundKind.EDIT}) {
      READER
          .message(object, kind, SETTING)
          .ifPresent(message -> {
            assertThat(message.updateKey()).isNotBlank();
            assertThat(message.text()).doesNotContain("\0");
          });
    }
    READER.click(object, "1", "7").ifPresent(click -> assertThat(click.button()).isNotBlank());
    DiscordPlace.read(object, Optional.empty())
        .ifPresent(place -> assertThat(Snowflake.isValid(place.chat())).isTrue());
    assertThat(GatewayPosition.read(json)).isNotNull();
  }

  static Stream<String> objects() {
    String author = "\"author\":{\"id\":\"9\",\"username\":\"ann\"}";
    return Stream.of(
        "{\"id\":\"5\"," + author + ",\"content\":\"<@7> hi\",\"mentions\":[{\"id\":\"7\"}]}",
        "{\"id\":\"5\","
            + author
            + ",\"content\":\"$1\\\\ <@!7> <@&8>\",\"mention_roles\":[\"8\"]}",
        "{\"id\":\"5\"," + author + ",\"content\":\"\\u0000\\ud800\",\"type\":19}",
        "{\"id\":\"5\"," + author + ",\"content\":7,\"attachments\":[{\"url\":\"x\",\"size\":-1}]}",
        "{\"id\":\"5\","
            + author
            + ",\"content\":\"x\",\"edited_timestamp\":\"2026-03-01T10:00:00+00:00\"}",
        "{\"id\":\"5\","
            + author
            + ",\"content\":\"x\",\"edited_timestamp\":\"+999999999-12-31T23:59:59Z\"}",
        "{\"id\":\"5\","
            + author
            + ",\"content\":\"x\",\"message_reference\":{\"message_id\":\"4\"}}",
        "{\"id\":\"5\"," + author + ",\"message_snapshots\":[{\"message\":{\"content\":\"y\"}}]}",
        "{\"id\":\"99999999999999999999\"," + author + ",\"content\":\"x\"}",
        "{\"id\":\"5\",\"type\":3,\"user\":{\"id\":\"9\"},\"message\":{\"id\":\"4\"},"
            + "\"data\":{\"custom_id\":\"b\"}}",
        "{\"id\":\"5\",\"type\":11,\"parent_id\":\"../1\",\"name\":\"\\u0007\"}",
        "{\"session\":\"a\",\"url\":\"b\",\"bot\":\"c\",\"alive\":\"never\"}",
        "{}");
  }
}
