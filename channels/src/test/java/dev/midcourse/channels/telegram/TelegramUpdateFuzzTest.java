package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.telegram.api.TelegramBot;
import dev.midcourse.channels.telegram.receive.TelegramUpdate;
import dev.midcourse.channels.telegram.receive.TelegramUpdateReader;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.ledger.json.InboundCodec;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every JSON object is an update that can be stored and read back, or is skipped. As an ordinary
 * test it uses the stored examples; {@code JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class TelegramUpdateFuzzTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final TelegramUpdateReader reader =
      new TelegramUpdateReader(
          TelegramFixture.CHANNEL,
          new TelegramBot(Long.toString(FakeTelegram.BOT), FakeTelegram.USERNAME, true));

  @MethodSource("updates")
  @FuzzTest(maxDuration = "2m")
  void an_update(@NotNull String json) {
    JsonValue.Obj update;
    try {
      update = JsonReader.readObject(json);
    } catch (JsonException notAnObject) {
      return;
    }
    try {
      if (reader.read(update, NOW) instanceof TelegramUpdate.Message(var message, var _)) {
        assertThat(InboundCodec.decode(InboundCodec.encode(message))).contains(message);
      }
    } catch (RefusedException refused) {
      assertThat(refused.problem().field()).isNotBlank();
    }
  }

  static Stream<String> updates() {
    return Stream.of(
        Updates.text(1, "👍 @mid_bot").toString(),
        Updates.update(
                Updates.withEntities(
                    Updates.message(1, Updates.group()).with("text", "👍 @mid_bot x"),
                    Updates.entity("mention", 3, 8),
                    Updates.entity("mention", 2, 9),
                    Updates.entity("bot_command", 0, 14)))
            .toString(),
        Updates.update(Updates.photo(1, "g", "f").with("caption", "x")).toString(),
        Updates.edit(Updates.message(1, Updates.direct()).with("text", "x"), 5).toString(),
        Updates.click("q", 5, "b").toString(),
        Updates.member("left", "member").toString(),
        "{\"message\":{\"message_id\":1e99,\"chat\":{\"id\":9223372036854775808},\"text\":\"x\"}}",
        "{\"message\":{\"message_id\":1,\"chat\":{\"id\":1},\"from\":{\"id\":0},\"text\":\"\\ud800\\u0000\","
            + "\"entities\":[{\"type\":\"mention\",\"offset\":1e30,\"length\":-1}],\"date\":1e300}}",
        "{\"callback_query\":{\"id\":\"1\",\"from\":{\"id\":1},\"data\":\"\\u0000\","
            + "\"message\":{\"message_id\":1,\"chat\":{\"id\":1}}}}",
        "[".repeat(3_000),
        "null",
        "");
  }
}
