package dev.midcourse.agents.rehearsal.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.Seed;
import dev.midcourse.core.json.JsonValue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class WireTest {
  private static final JsonMapper LIBRARY = JsonMapper.builder().build();

  @Test
  void its_messages_and_those_of_a_library_are_read_by_each_other() {
    Seed seed = Seed.drawnFor("JSON");
    Random random = seed.random();
    for (int i = 0; i < 2000; i++) {
      String text = text(random);
      long number = random.nextLong();
      boolean flag = random.nextBoolean();
      String line =
          RehearsalWire.line(
              JsonValue.object().with("text", text).with("number", number).with("flag", flag));
      JsonNode read = LIBRARY.readTree(line);
      assertThat(read.path("text").asString()).as("%s", seed).isEqualTo(text);
      assertThat(read.path("number").asLong()).isEqualTo(number);
      assertThat(read.path("flag").asBoolean()).isEqualTo(flag);
      assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
      JsonValue.Obj own = RehearsalWire.read(LIBRARY.writeValueAsString(read));
      assertThat(own.fields()).containsOnlyKeys("text", "number", "flag");
      assertThat(own.string("text")).contains(text);
      assertThat(own.number("number")).contains(number);
      assertThat(own.get("flag")).contains(JsonValue.of(flag));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":{}}",
        "{\"a\":[1]}",
        "{\"a\":1.5}",
        "{\"a\":null}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"",
        "nonsense",
        "{\"a\" 1}"
      })
  void unreadable_messages_are_refused(String line) {
    assertThatThrownBy(() -> RehearsalWire.read(line)).isInstanceOf(IllegalArgumentException.class);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int point =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(0x80);
            case 1 -> random.nextInt(0xD800);
            case 2 -> 0x10000 + random.nextInt(0x100000);
            default -> "\"\\/\n\r\t\u2028{}".codePointAt(random.nextInt(9));
          };
      text.appendCodePoint(point);
    }
    return text.toString();
  }
}
