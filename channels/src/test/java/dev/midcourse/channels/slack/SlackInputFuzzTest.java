package dev.midcourse.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackNames;
import dev.midcourse.channels.slack.receive.SlackUpdate;
import dev.midcourse.channels.slack.receive.SlackUpdateReader;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every JSON object that comes as an event, a click, a command or a message of the history gives an
 * update, and a message that can be stored. As an ordinary test it uses the stored examples; {@code
 * JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class SlackInputFuzzTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final SlackAccount BOT =
      new SlackAccount("T0TEAM", "U0BOT", Optional.of("B0BOT"), "midcourse", "The team");

  private static final class NoNames implements SlackNames {
    @Override
    public Optional<String> user(String id) {
      return Optional.empty();
    }

    @Override
    public Optional<String> chat(String id) {
      return Optional.empty();
    }

    @Override
    public Optional<String> knownUser(String id) {
      return Optional.empty();
    }
  }

  /** Seen to fail when the form of ids is not checked. */
  @MethodSource("payloads")
  @FuzzTest(maxDuration = "2m")
  void a_payload_of_slack(@NotNull String json) {
    JsonValue.Obj payload;
    try {
      payload = JsonReader.readObject(json);
    } catch (JsonException notAnObject) {
      return;
    }
    SlackUpdateReader reader = new SlackUpdateReader(ChannelName.of("slack"), BOT, new NoNames());
    check(reader.event(payload));
    check(reader.event(JsonValue.object().with("event", payload)));
    check(reader.interaction(payload, NOW));
    check(reader.command(payload, NOW));
    reader.history("C0GENERAL", payload).forEach(SlackInputFuzzTest::check);
  }

  private static void check(SlackUpdate update) {
    switch (update) {
      case SlackUpdate.Message(InboundMessage message) -> {
        assertThat(message.updateKey()).isNotBlank();
        assertThat(message.ref().chat()).matches("[A-Z0-9]+");
        assertThat(message.bareText().length()).isLessThanOrEqualTo(message.text().length());
      }
      case SlackUpdate.Click(var click, var _) -> {
        assertThat(click.button()).isNotBlank();
        assertThat(click.updateKey().length()).isLessThan(500);
      }
      case SlackUpdate.Notice _, SlackUpdate.Revoked _ -> {}
      case SlackUpdate.Ignored(String reason) -> assertThat(reason).isNotBlank();
    }
  }

  static Stream<String> payloads() {
    String in = "\"type\":\"message\",\"channel\":\"C0GENERAL\"";
    String by = in + ",\"user\":\"U0ANN\",\"ts\":\"1793620799.000100\"";
    return Stream.of(
        "{" + by + ",\"text\":\"Fix it, <@U0BOT>.\"}",
        "{" + by + ",\"text\":\"<@U0BOT|<@U0BOT>>&amp;lt;<|><!date^1^x|y><>\"}",
        "{" + by + ",\"text\":\"\\ud800\\u0000\"}",
        "{" + by + ",\"text\":7,\"files\":[7,null,{},{\"id\":\"F1\",\"size\":-1,\"name\":[]}]}",
        "{" + by + ",\"text\":\"x\",\"thread_ts\":\"not a time\"}",
        "{" + by + ",\"text\":\"x\",\"edited\":{\"ts\":\"99999999999999999999.1\"}}",
        "{" + in + ",\"user\":\"U0ANN\",\"ts\":\"999999999999.999999999\",\"text\":\"x\"}",
        "{" + in + ",\"user\":\"U0ANN\",\"ts\":\"yesterday\",\"text\":\"x\"}",
        "{" + in + ",\"user\":\"../x\",\"ts\":\"1.1\",\"text\":\"x\"}",
        "{\"type\":\"message\",\"channel\":\"../C\",\"ts\":\"1.1\",\"text\":\"x\"}",
        "{"
            + in
            + ",\"subtype\":\"message_changed\",\"message\":{\"ts\":\"1.1\",\"edited\":"
            + "{\"ts\":\"2.1\"},\"user\":\"U0ANN\",\"text\":\"y\"},\"previous_message\":[]}",
        "{" + in + ",\"subtype\":\"message_changed\"}",
        "{" + in + ",\"subtype\":\"message_deleted\",\"deleted_ts\":\"1.1\"}",
        "{" + in + ",\"subtype\":\"message_deleted\",\"deleted_ts\":null}",
        "{\"type\":\"tokens_revoked\",\"tokens\":{\"bot\":[\"U0BOT\",7]}}",
        "{\"type\":\"channel_left\",\"channel\":\"C0GENERAL\"}",
        "{\"type\":\"channel_id_changed\",\"old_channel_id\":\"C0A\",\"new_channel_id\":{}}",
        "{\"type\":\"block_actions\",\"channel\":{\"id\":\"C0A\"},\"message\":{\"ts\":\"1.1\"},"
            + "\"user\":{\"id\":\"U0ANN\"},\"actions\":[{\"value\":\"abc\",\"action_ts\":\"x\"}]}",
        "{\"type\":\"block_actions\",\"actions\":{}}",
        "{\"command\":\"/midcourse\",\"text\":\"stop\",\"channel_id\":\"D0A\","
            + "\"user_id\":\"U0ANN\",\"trigger_id\":\"1.2\"}",
        "{\"event\":{" + by + ",\"text\":\"x\"},\"authorizations\":[{\"team_id\":\"T0OTHER\"}]}",
        "{\"event\":[],\"team_id\":7,\"authorizations\":{}}",
        "{}",
        "[]",
        "");
  }
}
