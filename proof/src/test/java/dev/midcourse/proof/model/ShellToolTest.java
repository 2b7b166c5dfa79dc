package dev.midcourse.proof.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.OfferedTool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One command reaches each agent's shell in the format of that agent. */
class ShellToolTest {

  @Test
  void a_shell_that_would_leave_a_command_behind_is_asked_to_stay_with_it() {
    assertThat(
            call(
                "bash",
                """
                {"properties": {"command": {"type": "string"}, "initial_wait": {"type": "number"}},
                 "required": ["command"]}
                """))
        .isEqualTo("bash {\"command\":\"make\",\"initial_wait\":600}");
    assertThat(
            call(
                "exec_command",
                """
                {"properties": {"cmd": {"type": "string"}, "yield_time_ms": {"type": "number"}},
                 "required": ["cmd"]}
                """))
        .isEqualTo("exec_command {\"cmd\":\"make\",\"yield_time_ms\":30000}");
  }

  @Test
  void a_shell_that_takes_a_list_of_words_gets_one() {
    assertThat(
            call(
                "shell",
                """
                {"properties": {"command": {"type": "array"}}, "required": ["command"]}
                """))
        .isEqualTo("shell {\"command\":[\"bash\",\"-c\",\"make\"]}");
  }

  @Test
  void what_else_a_shell_requires_is_filled_in() {
    assertThat(
            call(
                "run_shell_command",
                """
                {"type": "OBJECT",
                 "properties": {"command": {"type": "STRING"}, "why": {"type": "STRING"},
                   "quiet": {"type": "BOOLEAN"}, "limit": {"type": "INTEGER", "minimum": 5},
                   "mode": {"type": "STRING", "enum": ["sync", "async"]}},
                 "required": ["command", "why", "quiet", "limit", "mode"]}
                """))
        .isEqualTo(
            "run_shell_command {\"command\":\"make\",\"why\":\"scripted\",\"quiet\":false,"
                + "\"limit\":5,\"mode\":\"sync\"}");
  }

  private static String call(String name, String schema) {
    var offered =
        List.of(
            new OfferedTool("read", Json.object()),
            new OfferedTool(name, Json.MAPPER.readTree(schema)));
    var call = ShellTool.call("make", offered);
    return call.name() + " " + call.arguments();
  }
}
