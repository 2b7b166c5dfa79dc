package dev.midcourse.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectReaderTest {
  private enum Pace {
    SLOW,
    FAST
  }

  @Test
  void fields_are_read_by_type() {
    ObjectReader reader =
        reader(
            "{'run':'r-1','state':'slow','note':'n','limit':7,'all':true,'names':['a','b'],"
                + "'inner':{'x':'y'},'any':[1]}");

    assertThat(reader.required("run", RunId::of)).contains(RunId.of("r-1"));
    assertThat(reader.required("state", Pace.class)).contains(Pace.SLOW);
    assertThat(reader.optional("note")).contains("n");
    assertThat(reader.optionalNumber("limit", 1, 10)).contains(7L);
    assertThat(reader.flag("all")).isTrue();
    assertThat(reader.requiredStrings("names")).contains(List.of("a", "b"));
    assertThat(reader.requiredObject("inner").orElseThrow().required("x")).contains("y");
    assertThat(reader.optionalValue("any")).contains(JsonReader.read("[1]"));
    assertThatCode(reader::finish).doesNotThrowAnyException();
  }

  @Test
  void null_counts_as_missing_except_for_a_flag_that_says_otherwise() {
    ObjectReader reader = reader("{'a':null,'b':null,'c':null,'d':null,'e':null}");

    assertThat(reader.optional("a")).isEmpty();
    assertThat(reader.optionalStrings("b")).isEmpty();
    assertThat(reader.flag("c")).isFalse();
    assertThat(reader.problems()).isEmpty();
    assertThat(reader.flagNotNull("d")).isFalse();
    assertThat(reader.required("e")).isEmpty();
    assertThat(messages(reader)).containsExactly("d must be true or false", "e is missing");
  }

  @Test
  void every_problem_is_collected_with_its_field_and_rule() {
    ObjectReader reader =
        reader("{'a':1,'b':' ','c':'x y','d':'up','e':0,'f':1.5,'g':'yes','h':['',1],'i':{'j':7}}");
    reader.required("a");
    reader.required("b");
    reader.required("c", ObjectReaderTest::refuse);
    reader.optional("d", Pace.class);
    reader.optionalNumber("e", 1, 10);
    reader.optionalNumber("f", 1, 10);
    reader.flag("g");
    reader.requiredStrings("h");
    ObjectReader inner = reader.requiredObject("i").orElseThrow();
    inner.required("j");
    inner.requiredObject("k");

    assertThat(messages(reader))
        .containsExactly(
            "a must be a string",
            "b is blank",
            "c must be short",
            "d must be one of: slow, fast; got \"up\"",
            "e must be a whole number from 1 to 10",
            "f must be a whole number from 1 to 10",
            "g must be true or false",
            "h must be a list of strings, none of them blank",
            "i.j must be a string",
            "i.k is missing");
    assertThat(reader.problems())
        .extracting(Problem::field)
        .containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i.j", "i.k");
    assertThat(reader.problems().getLast().rule()).isEqualTo("required");
    assertThat(inner.isValid("j")).isFalse();
    assertThat(inner.isValid("x")).isTrue();
    assertThatThrownBy(reader::throwProblems)
        .isInstanceOfSatisfying(
            RefusedException.class, it -> assertThat(it.problems()).hasSize(10));
  }

  @Test
  void a_field_that_was_not_read_is_refused_at_the_end_only() {
    ObjectReader reader = reader("{'run':'r','rum':1,'u\\nv':2}");
    reader.required("run");
    reader.optional("key");

    assertThat(reader.unreadFields()).containsExactly("rum", "u\nv");
    assertThatCode(reader::throwProblems).doesNotThrowAnyException();
    assertThatThrownBy(reader::finish)
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "unknown field \"rum\"; use one of: run, key;"
                + " unknown field \"u?v\"; use one of: run, key");
  }

  private static String refuse(String text) {
    throw Problem.invalid("", "short", "must be short").refused();
  }

  private static ObjectReader reader(String json) {
    return new ObjectReader(JsonReader.readObject(json.replace('\'', '"')));
  }

  private static List<String> messages(ObjectReader reader) {
    return reader.problems().stream().map(Problem::message).toList();
  }
}
