package dev.midcourse.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static final int TRIALS = 20_000;

  @Test
  void an_object_is_read_field_by_field_in_order() {
    Json.Obj object =
        JsonReader.readObject(
            " {\"text\" : \"a\\u00e4\\n\\\"\\\\\\/\", \"number\":-1.5e+3,"
                + " \"yes\":true,\"no\":false, \"nothing\":null, \"list\":[1,{\"a\":\"b\"},[]],"
                + " \"in\":{\"x\":7}}\n");

    assertThat(object.fields().keySet())
        .containsExactly("text", "number", "yes", "no", "nothing", "list", "in");
    assertThat(object.text("text")).contains("aä\n\"\\/");
    assertThat(object.decimal("number")).contains(-1500.0);
    assertThat(object.is("yes")).isTrue();
    assertThat(object.is("no")).isFalse();
    assertThat(object.text("nothing")).isEmpty();
    assertThat(object.text("missing")).isEmpty();
    assertThat(object.objects("list"))
        .containsExactly(new Json.Obj(Map.of("a", new Json.Str("b"))));
    assertThat(object.object("in").number("x")).contains(7L);
    assertThat(object.object("missing")).isEqualTo(Json.Obj.EMPTY);
  }

  @Test
  void a_number_goes_through_as_it_was_written() {
    assertThat(JsonWriter.compact(JsonReader.read("[12345678901234567890.10, -0, 1E400]")))
        .isEqualTo("[12345678901234567890.10,-0,1E400]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "{}}",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "\"\t\"",
        "tru",
        "nul",
        "True",
        "01",
        "-",
        "+1",
        ".5",
        "1.",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "1 2",
        "[1 2]",
        "// x\n1",
        "/* */ 1",
        "{\"a\":1,\"a\":2}",
        "\u00a01",
        "\ufeff1",
        "١",
        "\"\\u00e\u0664\""
      })
  void what_is_not_json_is_refused(String text) {
    assertThatThrownBy(() -> JsonReader.read(text)).isInstanceOf(JsonException.class);
  }

  @Test
  void depth_is_bounded_and_does_not_touch_the_stack() {
    String deepest = "[".repeat(JsonReader.DEEPEST) + "]".repeat(JsonReader.DEEPEST);
    assertThat(JsonReader.read(deepest)).isInstanceOf(Json.Arr.class);
    assertThatThrownBy(() -> JsonReader.read("[" + deepest + "]"))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("levels");
    assertThatThrownBy(() -> JsonReader.read("[".repeat(1_000_000)))
        .isInstanceOf(JsonException.class);
    assertThatThrownBy(() -> JsonReader.read("{\"a\":".repeat(1_000_000)))
        .isInstanceOf(JsonException.class);
  }

  @Test
  void containers_side_by_side_do_not_count_as_depth() {
    assertThat(JsonReader.read("[" + "[],".repeat(1000) + "{}]")).isInstanceOf(Json.Arr.class);
  }

  @Test
  void what_was_written_is_read_back_the_same() {
    long seed = System.nanoTime();
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < TRIALS; i++) {
      Json json = value(random, 4);
      assertThat(JsonReader.read(JsonWriter.compact(json))).as("seed " + seed).isEqualTo(json);
      assertThat(JsonReader.read(JsonWriter.indented(json))).as("seed " + seed).isEqualTo(json);
    }
  }

  @Test
  void whatever_the_input_it_ends_with_a_value_or_a_refusal() {
    long seed = System.nanoTime();
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < TRIALS; i++) {
      String text = damaged(JsonWriter.compact(value(random, 3)), random);
      try {
        Json json = JsonReader.read(text);
        assertThat(JsonReader.read(JsonWriter.compact(json))).as("seed " + seed).isEqualTo(json);
      } catch (JsonException refused) {
        assertThat(refused).as("seed " + seed).hasMessageContaining("expected");
      }
    }
  }

  @Test
  void nothing_that_a_terminal_acts_on_is_written() {
    String evil = "\u001b[2J\u0007\u009b31m\u007f\u202e\u2028\ud800x\udc00";
    String written = JsonWriter.compact(new Json.Str(evil));

    assertThat(written).matches("\"[\\x20-\\x7e]*\"");
    assertThat(JsonReader.read(written)).isEqualTo(new Json.Str(evil));
    assertThat(JsonWriter.compact(new Json.Str("größer 👩‍💻 日本")))
        .isEqualTo("\"größer 👩‍💻 日本\"");
  }

  private static String damaged(String text, RandomGenerator random) {
    StringBuilder damaged = new StringBuilder(text);
    String pieces = "{}[]\",:\\tfn0eE+-. \n\u0000\ud800";
    for (int i = random.nextInt(4); i >= 0 && !damaged.isEmpty(); i--) {
      int at = random.nextInt(damaged.length());
      char piece = pieces.charAt(random.nextInt(pieces.length()));
      switch (random.nextInt(3)) {
        case 0 -> damaged.deleteCharAt(at);
        case 1 -> damaged.insert(at, piece);
        default -> damaged.setCharAt(at, piece);
      }
    }
    return damaged.toString();
  }

  private static Json value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> new Json.Str(text(random));
      case 1 -> new Json.Num(Long.toString(random.nextLong()));
      case 2 -> new Json.Num(Double.toString(random.nextDouble(-1e9, 1e9)));
      case 3 -> new Json.Bool(random.nextBoolean());
      case 4 -> new Json.Null();
      case 5 -> {
        List<Json> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.add(value(random, depth - 1));
        }
        yield new Json.Arr(values);
      }
      default -> {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          fields.put(text(random), value(random, depth - 1));
        }
        yield new Json.Obj(fields);
      }
    };
  }

  private static String text(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
    }
    return text.toString();
  }
}
