package dev.midcourse.agents.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** References in a git folder that an agent writes while the hub reads them. */
class AgentReferencesTest {
  private static final String COMMIT = "1".repeat(40);
  private static final int READS = 40_000;

  /** A reader that blocks for ever does not keep the process alive. */
  private static final Executor OWN_THREAD = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir private Path folder;
  private Path git = Path.of("");
  private AgentReferences references = new AgentReferences(git, git);

  @BeforeEach
  void prepare() throws IOException {
    git = Files.createDirectories(folder.resolve("git"));
    Files.createDirectories(git.resolve("worktrees/w"));
    Files.writeString(git.resolve("worktrees/w/HEAD"), "ref: refs/heads/work\n");
    Files.createDirectories(git.resolve("refs/heads"));
    Files.writeString(git.resolve("refs/heads/work"), COMMIT + "\n");
    references = new AgentReferences(git, Path.of("worktrees/w/HEAD"));
  }

  @Test
  void a_link_is_not_followed_wherever_it_is() throws IOException {
    assertThat(references.branch()).hasValue("refs/heads/work");
    assertThat(references.commit("refs/heads/work")).hasValue(COMMIT);
    for (String place : List.of("worktrees", "refs")) {
      Path outside = folder.resolve("outside-" + place);
      Files.move(git.resolve(place), outside);
      Files.createSymbolicLink(git.resolve(place), outside);
    }
    assertThat(references.branch()).isEmpty();
    assertThat(references.commit("refs/heads/work")).isEmpty();
  }

  /** Seen to fail, because the reader never returned, when the file is opened by its path. */
  @Test
  void a_file_that_is_exchanged_for_a_fifo_does_not_block_the_reader() throws Exception {
    Path head = git.resolve("worktrees/w/HEAD");
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> agent =
        CompletableFuture.runAsync(() -> exchange(head, fifo, done), OWN_THREAD);
    try {
      CompletableFuture<Integer> reader =
          CompletableFuture.supplyAsync(this::readOften, OWN_THREAD);
      assertThat(reader.get(2, TimeUnit.MINUTES)).isBetween(0, READS);
    } finally {
      done.set(true);
      agent.get(2, TimeUnit.MINUTES);
    }
  }

  private int readOften() {
    int found = 0;
    for (int i = 0; i < READS; i++) {
      found += references.branch().isPresent() ? 1 : 0;
    }
    return found;
  }

  /** Puts a FIFO and a regular file at one path by turns. */
  private void exchange(Path head, Path fifo, AtomicBoolean done) {
    try {
      Path link = folder.resolve("link");
      Path file = folder.resolve("file");
      while (!done.get()) {
        Files.createLink(link, fifo);
        Files.move(link, head, StandardCopyOption.ATOMIC_MOVE);
        Files.writeString(file, "ref: refs/heads/work\n");
        Files.move(file, head, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
