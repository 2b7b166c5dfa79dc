package dev.midcourse.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event has a meaning that can be stored, or is skipped. */
@Tag("fuzz")
class MatrixEventFuzzTest {
  private static final String ROOM = "!room:localhost";

  private final MatrixEventReader reader =
      new MatrixEventReader(
          ChannelName.of("matrix"),
          new MatrixAccount("@bot:localhost", "bot"),
          new MatrixRooms(new MemoryState()),
          it -> false);

  @MethodSource("events")
  @FuzzTest(maxDuration = "2m")
  void an_event(@NotNull String json) {
    Obj event;
    try {
      event = JsonReader.readObject(json);
    } catch (JsonException notAnObject) {
      return;
    }
    if (reader.read(ROOM, event) instanceof MatrixUpdate.Message(var message)) {
      assertThat(message.ref().chat()).isEqualTo(ROOM);
      assertThat(message.text()).doesNotContain("\0");
      assertThat(message.sender().identity()).isPresent();
    }
  }

  static Stream<String> events() {
    String begin =
        "{\"event_id\":\"$e\",\"sender\":\"@ann:localhost\",\"type\":\"m.room.message\",";
    return Stream.of(
        "{}",
        begin + "\"content\":{\"msgtype\":\"m.text\",\"body\":\"Hello \\u0000\\ud800\"}}",
        begin + "\"content\":[]}",
        begin + "\"origin_server_ts\":1e300,\"content\":{\"msgtype\":\"m.text\",\"body\":7}}",
        begin
            + "\"content\":{\"msgtype\":\"m.file\",\"body\":\"x\",\"url\":\"mxc://../x\","
            + "\"info\":{\"size\":-1}}}",
        begin
            + "\"content\":{\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"../x\"},"
            + "\"m.new_content\":{\"msgtype\":\"m.text\",\"body\":\"x\"}}}",
        begin
            + "\"content\":{\"msgtype\":\"m.text\",\"body\":\"> a\\n> b\",\"m.relates_to\":"
            + "{\"m.in_reply_to\":{\"event_id\":\"$x\"}},\"m.mentions\":{\"user_ids\":[7,null]}}}",
        "{\"event_id\":\"$e\",\"sender\":\"@ann:localhost\",\"type\":\"m.room.redaction\","
            + "\"redacts\":\"$x\"}",
        "{\"event_id\":\"e\",\"sender\":\"ann\",\"type\":\"m.room.tombstone\"}",
        "{\"event_id\":\"$e\",\"sender\":\"@a b:x\",\"type\":\"m.room.message\"}");
  }
}
