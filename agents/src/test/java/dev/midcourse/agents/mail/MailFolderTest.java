package dev.midcourse.agents.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailFolderTest {
  @TempDir private Path root;
  private MailFolder folder;

  @BeforeEach
  void make() throws IOException {
    folder = new MailFolder(root, List.of("lead", "input")).made();
  }

  /** Seen to fail when a write gives up on a thread that is interrupted. */
  @Test
  void a_thread_that_is_told_to_go_writes_its_letter_and_goes_then() throws IOException {
    Thread.currentThread().interrupt();
    try {
      folder.write("1-notice.json", "{}\n");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(folder.path().resolve("1-notice.json")).hasContent("{}");
    try (Stream<Path> files = Files.list(folder.path())) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void many_letters_are_read_in_a_folder_that_is_opened_once() throws IOException {
    for (String name : List.of("a.json", "b.json")) {
      folder.write(name, "\"" + name + "\"");
    }
    List<String> read =
        folder.opened(open ->
            List.of(
                open.read("a.json", 100).orElseThrow().text(),
                open.read("b.json", 100).orElseThrow().text()));
    assertThat(read).containsExactly("\"a.json\"", "\"b.json\"");
    assertThat(folder.read("gone.json", 100)).isEmpty();
  }
}
