package dev.midcourse.agents.mail;

import static java.util.Comparator.naturalOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailboxDirectoryTest {
  @TempDir private Path root;
  private MailboxDirectory folder;

  @BeforeEach
  void make() throws IOException {
    folder = new MailboxDirectory(root, List.of("lead", "input")).made();
  }

  /** Seen to fail when a write gives up on a thread that is interrupted. */
  @Test
  void an_interrupted_thread_still_writes_its_message() throws IOException {
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
  void many_messages_are_read_in_a_folder_that_is_opened_once() throws IOException {
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

  /** Seen to fail when a file is opened without O_NONBLOCK. */
  @Test
  void a_file_that_was_replaced_by_a_pipe_does_not_block_the_reader() throws Exception {
    pipe(folder.path().resolve("a.json"));
    assertThat(withoutDelay(() -> held(folder).read("a.json", 100))).isEmpty();
    assertThatThrownBy(() -> folder.read("a.json", 100)).hasMessageContaining("plain file");
  }

  /** Seen to fail when anything may be opened as a folder. */
  @Test
  void a_folder_that_was_replaced_by_a_pipe_does_not_block_the_reader() throws Exception {
    Files.delete(folder.path());
    pipe(folder.path());
    assertThatThrownBy(() -> withoutDelay(() -> folder.count(1)))
        .hasMessageContaining("cannot be opened");
  }

  /** Seen to fail when links are followed on the way or at its end. */
  @Test
  void no_link_is_followed_on_the_way_to_a_file() throws Exception {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("a.json"), "secret");
    Files.createSymbolicLink(folder.path().resolve("a.json"), elsewhere.resolve("a.json"));
    Files.createSymbolicLink(root.resolve("lead/link"), elsewhere);
    assertThatThrownBy(() -> held(folder).read("a.json", 100)).hasMessageContaining("opened");
    MailboxDirectory linked = new MailboxDirectory(root, List.of("lead", "link"));
    assertThatThrownBy(() -> linked.count(1)).hasMessageContaining("cannot be opened");
  }

  /** Seen to fail when another file with the name of a message is deleted in its place. */
  @Test
  void a_message_that_replaced_another_is_not_deleted_in_its_place() throws IOException {
    folder.write("a.json", "{}");
    MailboxDirectory.MailFile first = folder.read("a.json", 100).orElseThrow();
    folder.write("a.json", "{}");
    assertThat(folder.<Boolean>opened(open -> open.delete("a.json", first))).isFalse();
    MailboxDirectory.MailFile second = folder.read("a.json", 100).orElseThrow();
    assertThat(folder.<Boolean>opened(open -> open.delete("a.json", second))).isTrue();
    assertThat(folder.path()).isEmptyDirectory();
  }

  /** Seen to fail when the first that the file system gives are taken. */
  @Test
  void of_many_names_the_first_in_their_order_are_given_and_that_there_are_more()
      throws IOException {
    for (int i = 50; i > 0; i--) {
      folder.write("%02d.json".formatted(i), "{}");
    }
    DirectoryHandle.Names few = folder.opened(open -> open.names(_ -> true, naturalOrder(), 3));
    assertThat(few.first()).containsExactly("01.json", "02.json", "03.json");
    assertThat(few.more()).isTrue();
    DirectoryHandle.Names all = folder.opened(open -> open.names(_ -> true, naturalOrder(), 50));
    assertThat(all.first()).hasSize(50);
    assertThat(all.more()).isFalse();
  }

  /** Seen to fail when everything that was put aside is kept. */
  @Test
  void the_newest_quarantined_files_are_kept() throws IOException {
    MailboxDirectory errors = new MailboxDirectory(root, List.of("lead", "errors"));
    QuarantineFolder aside = new QuarantineFolder(errors);
    for (int i = 1; i <= 1_300; i++) {
      folder.write(i + ".json", "x");
      aside.put(folder, i + ".json", "it is number " + i);
    }
    assertThat(errors.count(2_000)).isBetween(1_000, 1_100);
    assertThat(errors.path().resolve("input-1300.json.reason.txt")).hasContent("it is number 1300");
    assertThat(errors.path().resolve("input-1.json")).doesNotExist();
    assertThat(errors.path().resolve("input-1.json.reason.txt")).doesNotExist();
  }

  private static NoFollowDirectory held(MailboxDirectory folder) throws IOException {
    Optional<NoFollowDirectory> held = NoFollowDirectory.open(folder.root(), folder.steps());
    assumeTrue(held.isPresent(), "the C library cannot be called here");
    return held.orElseThrow();
  }

  private static void pipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  /** In a thread of its own, since nothing ends one that waits in {@code open}. */
  private static <T> T withoutDelay(Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task.get(30, TimeUnit.SECONDS);
  }
}
