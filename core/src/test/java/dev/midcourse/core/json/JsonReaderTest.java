package dev.midcourse.core.json;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static final int TRIALS = 20_000;

  @Test
  void an_object_is_read_field_by_field_in_order() {
    JsonValue.Obj object =
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
        .containsExactly(new JsonValue.Obj(Map.of("a", new JsonValue.Str("b"))));
    assertThat(object.object("in").number("x")).contains(7L);
    assertThat(object.object("missing")).isEqualTo(JsonValue.Obj.EMPTY);
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
  void text_that_is_not_json_is_refused(String text) {
    assertThatThrownBy(() -> JsonReader.read(text)).isInstanceOf(JsonException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a': 1,;  'b' 2}    | line 2, column 7: expected ':'",
        "{'a': 1;;  'b': 2}   | line 3, column 3: expected ',' or '}'",
        "[1 2]                | line 1, column 4: expected ',' or ']'",
        "{'a':1,'a':2}        | line 1, column 8: expected a name that the object does not have"
            + " yet",
        "[tru]                | line 1, column 2: expected a value",
        "['\\x']             | line 1, column 4: expected a valid escape",
        "{                    | line 1, column 2: expected more text",
        "1 1                  | line 1, column 3: expected the end of the text",
      })
  void an_error_names_the_line_the_column_and_the_expected_input(String text, String message) {
    String json = text.replace('\'', '"').replace(';', '\n');
    assertThatThrownBy(() -> JsonReader.read(json)).hasMessageStartingWith(message);
  }

  @Test
  void names_and_numbers_are_bounded() {
    String number = "1".repeat(JsonReader.MAX_NUMBER_LENGTH);
    String name = "n".repeat(JsonReader.MAX_NAME_LENGTH);
    JsonReader.read("{\"" + name + "\":" + number + "}");
    assertThatThrownBy(() -> JsonReader.read("{\"" + name + "n\":1}"))
        .hasMessage("line 1, column 2: expected a name of at most 50000 characters");
    assertThatThrownBy(() -> JsonReader.read("[" + number + "1]"))
        .hasMessage("line 1, column 2: expected a number of at most 1000 characters");
  }

  @Test
  void depth_is_bounded_and_does_not_touch_the_stack() {
    String deepest = "[".repeat(JsonReader.MAX_DEPTH) + "]".repeat(JsonReader.MAX_DEPTH);
    assertThat(JsonReader.read(deepest)).isInstanceOf(JsonValue.Arr.class);
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
    assertThat(JsonReader.read("[" + "[],".repeat(1000) + "{}]")).isInstanceOf(JsonValue.Arr.class);
  }

  @Test
  void written_json_is_read_back_equal() {
    long seed = System.nanoTime();
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < TRIALS; i++) {
      JsonValue json = value(random, 4);
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
        JsonValue json = JsonReader.read(text);
        assertThat(JsonReader.read(JsonWriter.compact(json))).as("seed " + seed).isEqualTo(json);
      } catch (JsonException refused) {
        assertThat(refused).as("seed " + seed).hasMessageContaining("expected");
      }
    }
  }

  @Test
  void nothing_that_a_terminal_acts_on_is_written() {
    String evil = "\u001b[2J\u0007\u009b31m\u007f\u202e\u2028\ud800x\udc00";
    String written = JsonWriter.compact(new JsonValue.Str(evil));

    assertThat(written).matches("\"[\\x20-\\x7e]*\"");
    assertThat(JsonReader.read(written)).isEqualTo(new JsonValue.Str(evil));
    assertThat(JsonWriter.compact(new JsonValue.Str("größer 👩‍💻 日本")))
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

  private static JsonValue value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> new JsonValue.Str(text(random));
      case 1 -> new JsonValue.Num(Long.toString(random.nextLong()));
      case 2 -> new JsonValue.Num(Double.toString(random.nextDouble(-1e9, 1e9)));
      case 3 -> new JsonValue.Bool(random.nextBoolean());
      case 4 -> new JsonValue.Null();
      case 5 -> {
        List<JsonValue> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.add(value(random, depth - 1));
        }
        yield new JsonValue.Arr(values);
      }
      default -> {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          fields.put(text(random), value(random, depth - 1));
        }
        yield new JsonValue.Obj(fields);
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
