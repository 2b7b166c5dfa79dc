package dev.midcourse.agents.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestDetailTest {
  private static String detail(String json) {
    return RequestDetail.of(ProtocolJson.object(json).orElseThrow());
  }

  /** Seen to fail when the arguments are shown as JSON. */
  @Test
  void a_command_comes_first_and_has_its_lines() {
    assertThat(detail("{\"timeout\":5,\"command\":\"ls\\nrm -r \\\"x\\\"\",\"description\":\"d\"}"))
        .isEqualTo("command\n  │ ls\n  │ rm -r \"x\"\ndescription\n  │ d\ntimeout\n  │ 5");
  }

  @Test
  void an_edit_has_its_path_and_its_change() {
    assertThat(detail("{\"old_string\":\"a\\nb\",\"new_string\":\"c\",\"file_path\":\"/w/x\"}"))
        .isEqualTo("file_path\n  │ /w/x\nchange\n  │ - a\n  │ - b\n  │ + c");
    assertThat(detail("{\"edits\":[{\"oldText\":\"a\",\"newText\":\"\"}]}"))
        .isEqualTo("edits[0].change\n  │ - a");
  }

  @Test
  void many_values_are_counted() {
    StringBuilder many = new StringBuilder("{\"a\":[0");
    many.append(",1".repeat(300)).append("]}");
    assertThat(detail(many.toString())).endsWith("not shown\n  │ 101 more values");
  }
}
