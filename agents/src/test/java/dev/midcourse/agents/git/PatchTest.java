package dev.midcourse.agents.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.RepoName;
import dev.midcourse.core.id.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reviewer is shown of a checkout, with a real git. */
class PatchTest {
  private static final RunId RUN = RunId.of("run-1");

  @TempDir private Path folder;
  private Checkout checkout;
  private Path work;

  @BeforeEach
  void open() throws Exception {
    Path clone = Files.createDirectories(folder.resolve("acme/shop"));
    git(clone, "init", "--quiet", "--initial-branch=main");
    Files.writeString(clone.resolve(".gitignore"), "ignored\n");
    git(clone, "add", "-A");
    git(clone, "commit", "--quiet", "-m", "begin");
    work = folder.resolve("work");
    checkout =
        Repository.in(folder, RepoName.of("acme/shop"))
            .checkOut(work, BranchName.of("jarvis-a"), Optional.empty());
    checkout.markStart(RUN, true);
  }

  /** Seen to fail when only what git knows is compared. */
  @Test
  void a_patch_has_what_is_committed_what_is_not_and_files_that_git_does_not_know()
      throws Exception {
    Files.writeString(work.resolve("committed"), "one\n");
    git(work, "add", "-A");
    git(work, "commit", "--quiet", "-m", "one");
    Files.writeString(work.resolve("staged"), "two\n");
    git(work, "add", "staged");
    Files.writeString(work.resolve("unknown"), "three\n");
    Files.writeString(work.resolve(":(exclude)* odd"), "five\n");
    Files.writeString(work.resolve("ignored"), "four\n");
    Path outside = Files.writeString(folder.resolve("outside"), "secret\n");
    Files.createSymbolicLink(work.resolve("link"), outside);
    Patch patch = checkout.diff(RUN, Optional.empty());
    assertThat(patch.whole()).isTrue();
    assertThat(patch.text())
        .contains("+one\n", "+two\n", "+three\n", "+five\n", "b/link")
        .doesNotContain("four", "secret");
  }

  /** Seen to fail when what is new is added to the agent's own index. */
  @Test
  void looking_at_the_changes_leaves_the_agents_index_as_it_is() throws Exception {
    Files.writeString(work.resolve("unknown"), "three\n");
    byte[] before = Files.readAllBytes(index());
    assertThat(checkout.diff(RUN, Optional.empty()).text()).contains("+three");
    assertThat(Files.readAllBytes(index())).isEqualTo(before);
    assertThat(git(work, "status", "--porcelain")).isEqualTo("?? unknown\n");
  }

  /** Seen to fail when the output is cut without a note. */
  @Test
  void a_patch_that_is_too_long_says_at_its_end_that_it_is_cut() throws Exception {
    Files.writeString(work.resolve("a-long"), "äöü, a line of many\n".repeat(400_000));
    Files.writeString(work.resolve("z-unseen"), "behind it\n");
    Patch patch = checkout.diff(RUN, Optional.empty());
    assertThat(patch.whole()).isFalse();
    assertThat(patch.text())
        .doesNotContain("behind it", "\uFFFD")
        .startsWith(Patch.NOT_COMMITTED + "diff --git");
    assertThat(patch.text().lines().toList().getLast())
        .startsWith("\\ Midcourse: this patch is not whole: it has ")
        .endsWith("git diff");
  }

  /** Seen to fail when what lies in another repository is passed over. */
  @Test
  void files_that_git_cannot_show_are_named_beside_the_rest() throws Exception {
    git(Files.createDirectory(work.resolve("nested")), "init", "--quiet");
    Files.writeString(work.resolve("nested/file"), "hidden\n");
    Files.writeString(work.resolve("unknown"), "three\n");
    Patch patch = checkout.diff(RUN, Optional.empty());
    assertThat(patch.whole()).isFalse();
    assertThat(patch.text()).contains("+three\n", "not whole: nested/ is a repository of its own");
  }

  /** Seen to fail when only the patch says that it was cut. */
  @Test
  void names_that_are_too_many_are_refused_and_not_taken_for_all() throws Exception {
    Files.writeString(work.resolve("long"), "a line of many\n".repeat(400_000));
    git(work, "add", "-A");
    assertThatThrownBy(
            () -> Git.of(GitDirectory.ofWorktree(work)).at(work, index()).must("diff", "--cached"))
        .hasMessageContaining("the output of git diff is too large");
  }

  private Path index() throws Exception {
    return work.resolve(git(work, "rev-parse", "--git-path", "index").strip());
  }

  private static String git(Path at, String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=Worker", "-c", "user.email=w@example.org"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(at.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
