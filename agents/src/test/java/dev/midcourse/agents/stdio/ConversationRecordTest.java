package dev.midcourse.agents.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConversationRecordTest {
  private static final SessionId SESSION = SessionId.of("s-1");

  @TempDir Path folder;

  @Test
  void it_finds_what_is_in_a_message_however_deep_and_however_it_was_escaped() throws IOException {
    write(
        "2026_s-1.jsonl",
        """
        {"type":"user","message":{"content":[{"type":"text","text":"[frame 7]\\nsay \\"hi\\" \\u00e9"}]}}
        """);

    assertThat(record().holding(Set.of("[frame 7]\nsay \"hi\" é", "[frame 8]")))
        .contains(Set.of("[frame 7]\nsay \"hi\" é"));
  }

  @Test
  void a_waiting_steer_is_not_in_the_conversation() throws IOException {
    write("s-1.jsonl", "{\"type\":\"queue-operation\",\"content\":\"[frame 7]\"}\n");

    assertThat(record().holding(Set.of("[frame 7]"))).contains(Set.of());
  }

  @Test
  void half_a_line_at_the_end_is_not_in_it() throws IOException {
    write("s-1.jsonl", "{\"type\":\"user\",\"text\":\"one\"}\n{\"type\":\"user\",\"text\":\"two");

    assertThat(record().holding(Set.of("one", "two"))).contains(Set.of("one"));
  }

  @Test
  void a_record_may_be_in_a_folder_that_has_the_sessions_name() throws IOException {
    Path its = Files.createDirectories(folder.resolve("s-1"));
    Files.writeString(its.resolve("events.jsonl"), "{\"type\":\"user\",\"text\":\"one\"}\n");

    assertThat(record().holding(Set.of("one", "two"))).contains(Set.of("one"));
  }

  @Test
  void without_a_record_file_the_result_is_unknown() throws IOException {
    write("s-2.jsonl", "{\"type\":\"user\",\"text\":\"one\"}\n");

    assertThat(record().holding(Set.of("one"))).isEmpty();
    assertThat(new ConversationRecord(folder.resolve("none"), SESSION, _ -> true).holding(Set.of()))
        .isEmpty();
  }

  private ConversationRecord record() {
    return new ConversationRecord(
        folder, SESSION, line -> ProtocolJson.text(line, "type").equals("user"));
  }

  private void write(String name, String lines) throws IOException {
    Path project = Files.createDirectories(folder.resolve("a").resolve("project"));
    Files.writeString(project.resolve(name), lines);
  }
}
