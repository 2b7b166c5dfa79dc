package dev.midcourse.channels.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Every delivery is read; what is not understood in it is left out. */
@Tag("fuzz")
class WhatsAppFuzzTest {
  @MethodSource("deliveries")
  @FuzzTest(maxDuration = "2m")
  void a_delivery(@NotNull String body) {
    JsonValue.Obj json;
    try {
      json = JsonReader.readObject(body);
    } catch (JsonException notAnObject) {
      return;
    }
    assertThat(
            new WhatsAppUpdateReader(ChannelName.of("whatsapp"), "106540352242922", Instant.EPOCH)
                .read(json))
        .isNotNull();
  }

  static Stream<String> deliveries() {
    String start = "{\"entry\":[{\"changes\":[{\"value\":{";
    String end = "}}]}]}";
    return Stream.of(
        start
            + "\"messages\":[{\"id\":\"a\",\"from\":\"1\",\"type\":\"text\",\"text\":{\"body\":\"\\ud800\\u0000\"}}]"
            + end,
        start
            + "\"messages\":[{\"id\":\"a\",\"from\":\"1\",\"type\":\"interactive\",\"interactive\":{\"button_reply\":7}}]"
            + end,
        start
            + "\"messages\":[{\"id\":\"a\",\"from\":1,\"timestamp\":99999999999,\"type\":\"image\",\"image\":{\"id\":\"../x\"}}]"
            + end,
        start
            + "\"statuses\":[{\"id\":\"a\",\"recipient_id\":\"1\",\"status\":\"failed\",\"errors\":[7]}]"
            + end,
        start + "\"user_id_update\":[{\"user_id\":\"x\"}],\"messages\":{}" + end,
        "{\"entry\":7}",
        "{}");
  }
}
