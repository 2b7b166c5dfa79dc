package dev.midcourse.agents.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreallocatedFilesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Path MEMORY = Path.of("/dev/shm");

  @TempDir private Path root;
  private MailboxDirectory place;
  private MailboxDirectory input;

  @BeforeEach
  void make() throws IOException {
    place = new MailboxDirectory(root, List.of("blank.files"));
    input = new MailboxDirectory(root, List.of("lead", "input")).made();
  }

  /** Seen to fail when every message gets a new file. */
  @Test
  void messages_are_written_into_files_that_were_preallocated_while_idle() throws IOException {
    try (PreallocatedFiles blanks = opened()) {
      write(blanks, "first", 10);
      awaitBlanks(blanks, 10);
      Set<Object> made =
          files(place.path()).map(PreallocatedFilesTest::identity).collect(Collectors.toSet());
      write(blanks, "second", 10);
      assertThat(files(input.path()).filter(it -> it.getFileName().toString().startsWith("second")))
          .hasSize(10)
          .allSatisfy(message -> {
            assertThat(message).hasContent("a letter");
            assertThat(made).contains(identity(message));
          });
      awaitBlanks(blanks, 10);
    }
  }

  /** Seen to fail when as many are made as were ever written. */
  @Test
  void there_are_no_more_of_them_than_a_mailbox_holds() throws IOException {
    try (PreallocatedFiles blanks = new PreallocatedFiles(place, 20)) {
      blanks.open();
      write(blanks, "many", 30);
      awaitBlanks(blanks, 20);
      write(blanks, "one", 1);
      awaitBlanks(blanks, 20);
    }
    assertThat(files(place.path())).hasSize(20);
  }

  /** Seen to fail when the message of a hub that was killed while it wrote is sent again. */
  @Test
  void the_next_hub_takes_up_what_is_empty_and_nothing_else() throws IOException {
    place.made();
    Files.createFile(place.path().resolve("empty"));
    Files.writeString(place.path().resolve("half-written"), "{\"kind\":");
    Files.createSymbolicLink(place.path().resolve("link"), root.resolve("elsewhere"));
    try (PreallocatedFiles blanks = opened()) {
      assertThat(blanks.count()).isEqualTo(1);
      assertThat(files(place.path())).extracting(Path::getFileName).hasSize(1);
      write(blanks, "letter", 2);
      assertThat(input.path().resolve("letter-1.json")).hasContent("a letter");
      assertThat(root.resolve("elsewhere")).doesNotExist();
    }
  }

  /** Seen to fail when a message is given up together with its preallocated file. */
  @Test
  void a_message_is_written_although_the_preallocated_files_were_deleted() throws IOException {
    try (PreallocatedFiles blanks = opened()) {
      write(blanks, "first", 3);
      awaitBlanks(blanks, 3);
      for (Path blank : files(place.path()).toList()) {
        Files.delete(blank);
      }
      write(blanks, "second", 3);
      assertThat(files(input.path()))
          .hasSize(6)
          .allSatisfy(it -> assertThat(it).hasContent("a letter"));
    }
  }

  @Test
  void a_mailbox_on_another_disk_gets_its_messages_too() throws IOException {
    assumeTrue(Files.isWritable(MEMORY), "there is no other disk");
    Path elsewhere = Files.createTempDirectory(MEMORY, "midcourse-test");
    assumeTrue(!Files.getFileStore(elsewhere).equals(Files.getFileStore(root)), "it is the same");
    MailboxDirectory there = new MailboxDirectory(elsewhere, List.of("input")).made();
    try (PreallocatedFiles blanks = opened()) {
      write(blanks, "first", 1);
      awaitBlanks(blanks, 1);
      there.opened(open -> {
        blanks.write(open, "letter.json", "a letter");
        return open;
      });
      assertThat(there.path().resolve("letter.json")).hasContent("a letter");
    } finally {
      Files.deleteIfExists(there.path().resolve("letter.json"));
      Files.delete(there.path());
      Files.delete(elsewhere);
    }
  }

  private PreallocatedFiles opened() throws IOException {
    PreallocatedFiles blanks = new PreallocatedFiles(place);
    blanks.open();
    return blanks;
  }

  private void write(PreallocatedFiles blanks, String name, int messages) throws IOException {
    input.opened(open -> {
      for (int i = 0; i < messages; i++) {
        blanks.write(open, name + "-" + i + ".json", "a letter");
      }
      return open;
    });
  }

  private static void awaitBlanks(PreallocatedFiles blanks, int count) {
    await().atMost(LONG).until(() -> blanks.count() == count);
  }

  private static Stream<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    }
  }

  private static Object identity(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
