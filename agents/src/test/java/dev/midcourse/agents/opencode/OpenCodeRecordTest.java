package dev.midcourse.agents.opencode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The record of a session, as a program in OpenCode's place prints it. */
class OpenCodeRecordTest {
  private static final OpenCodeIds IDS = new OpenCodeIds("ses_1", "msg_promptabc_", "secret");
  private static final SteerId STEER = SteerId.of("3f0c2f7e-5d0b-4e43-9a39-0f6a2f0f5a11");
  private static final Set<String> PASSAGES = Set.of("use tabs", "build \"it\"");

  @TempDir Path folder;

  private Optional<Set<String>> holding(String session, String script) throws IOException {
    Path program = Files.writeString(folder.resolve("opencode"), "#!/bin/sh\n" + script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = Map.of("PATH", System.getenv("PATH"));
    return new OpenCodeRecord(program.toString(), environment)
        .holding(SessionId.of(session), IDS, PASSAGES);
  }

  private static String printing(String rows) {
    return "cat <<'END'\n" + rows + "\nEND\n";
  }

  private static String row(String id, String text, String promoted) {
    ObjectNode prompt = ProtocolJson.object().put("text", text);
    ObjectNode row = ProtocolJson.object().put("id", id).put("prompt", prompt.toString());
    return row.toString().replaceFirst("}$", ",\"promoted\":" + promoted + "}");
  }

  private static String steer(String promoted) {
    String opening = row(IDS.opening(1), "build \"it\" now", "1");
    return "[" + opening + "," + row(IDS.message(STEER), "please use tabs", promoted) + "]";
  }

  @Test
  void the_record_has_the_messages_of_the_model() throws Exception {
    assertThat(holding("ses_1", printing(steer("7")))).contains(PASSAGES);
  }

  @Test
  void a_steer_that_only_waits_is_not_there_since_it_can_be_sent_again() throws Exception {
    assertThat(holding("ses_1", printing(steer("null")))).contains(Set.of("build \"it\""));
  }

  @Test
  void an_opening_that_only_waits_is_there_since_it_comes_with_what_is_sent_next()
      throws Exception {
    String rows = "[" + row(IDS.opening(1), "use tabs", "null") + "]";
    assertThat(holding("ses_1", printing(rows))).contains(Set.of("use tabs"));
  }

  @Test
  void a_session_without_messages_holds_nothing() throws Exception {
    String rows = "[{\"id\": null, \"prompt\": null, \"promoted\": null}]";
    assertThat(holding("ses_1", printing(rows))).contains(Set.of());
  }

  @Test
  void a_missing_session_or_a_failing_program_gives_no_record() throws Exception {
    assertThat(holding("ses_1", printing("[]"))).isEmpty();
    assertThat(holding("ses_1", printing("database is locked"))).isEmpty();
    assertThat(holding("ses_1", printing(steer("7")) + "exit 1\n")).isEmpty();
    assertThat(
            new OpenCodeRecord(folder.resolve("gone").toString(), Map.of())
                .holding(SessionId.of("ses_1"), IDS, PASSAGES))
        .isEmpty();
  }

  @Test
  void only_the_sessions_own_messages_are_asked_for() throws Exception {
    holding("ses_1", "printf '%s\\n' \"$@\" > " + folder.resolve("asked") + "\n");
    assertThat(Files.readString(folder.resolve("asked")))
        .startsWith("db\n")
        .contains("session.id = 'ses_1'")
        .endsWith("--format\njson\n");
  }
}
