package dev.midcourse.agents.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.CheckoutState;
import dev.midcourse.core.contract.RepoName;
import dev.midcourse.core.id.RunId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent may leave behind in a checkout, and what the hub's git makes of it. */
class CheckoutTest {
  private static final RunId RUN = RunId.of("run-1");
  private static final BranchName BRANCH = BranchName.of("jarvis-a");
  private static final RepoName SHOP = RepoName.of("acme/shop");

  /** A program that an agent would have the hub run. */
  private static final String FILTER =
      """
      [filter "evil"]
        clean = touch %1$s; cat
        smudge = touch %1$s; cat
      """;

  @TempDir private Path folder;
  private Path clone = Path.of("");
  private Path run = Path.of("");
  private Checkout checkout = new Checkout(run);

  @BeforeEach
  void prepare() throws Exception {
    clone = Files.createDirectories(folder.resolve("shop"));
    run = folder.resolve("has-run");
    shell(
        clone, "git init -q -b main && echo hello > README && git add -A && git commit -q -m one");
    checkout = repository().checkOut(folder.resolve("work"), BRANCH, Optional.empty());
    checkout.markStart(RUN, true);
  }

  /** Seen to fail when Git gives status and diff no option about submodules. */
  @Test
  void the_settings_of_a_repository_in_the_checkout_name_nothing_that_is_run() throws Exception {
    Path nested = Files.createDirectories(checkout.folder().resolve("nested"));
    shell(
        nested,
        "git init -q && echo '* filter=evil' > .gitattributes && echo a > a && git add -A"
            + " && git commit -q -m nested");
    Files.writeString(nested.resolve(".git/config"), FILTER.formatted(run));
    String commit =
        shell(checkout.folder(), "git add nested && git commit -q -m link && git rev-parse HEAD");
    Files.writeString(nested.resolve("a"), "b");
    CheckoutState found = checkout.inspect(RUN, BRANCH, Optional.of(commit));
    assertThat(found.changed()).containsExactly("nested");
    assertThat(checkout.diff(RUN, Optional.empty()).text()).contains("Subproject commit");
    checkout.reset();
    assertThat(run).doesNotExist();
  }

  /** Seen to fail when Repository does not check the clone. */
  @Test
  void a_file_that_names_other_settings_for_the_clone_is_named_and_repaired() throws Exception {
    shell(
        checkout.folder(),
        "echo '* filter=evil' > .gitattributes && git add -A && git commit -q -m attributes");
    Path others = folder.resolve("others");
    shell(clone, "cp -r .git " + others + " && echo " + others + " > .git/commondir");
    Files.writeString(others.resolve("config"), FILTER.formatted(run));
    Path second = folder.resolve("second");
    assertThatThrownBy(
            () -> repository().checkOut(second, BranchName.of("jarvis-b"), Optional.of(BRANCH)))
        .hasMessageContaining(clone + "/.git/commondir was tampered with")
        .hasMessageContaining("midcourse repair");
    assertThatThrownBy(() -> checkout.diff(RUN, Optional.empty()))
        .hasMessageContaining("commondir was tampered with");
    assertThat(CheckoutRepair.repair(checkout.folder(), repository()))
        .singleElement()
        .asString()
        .startsWith(clone + "/.git/commondir is now ");
    repository().checkOut(second, BranchName.of("jarvis-b"), Optional.of(BRANCH));
    assertThat(run).doesNotExist();
  }

  /** Seen to fail when a commit of the branch is enough. */
  @Test
  void only_the_last_commit_of_the_branch_is_the_work() throws Exception {
    String first = commit("App.java");
    String last = commit("Other.java");
    CheckoutState hiding = checkout.inspect(RUN, BRANCH, Optional.of(first));
    assertThat(hiding.last()).isFalse();
    assertThat(hiding.changed()).containsExactly("App.java", "Other.java");
    CheckoutState honest = checkout.inspect(RUN, BRANCH, Optional.of(last.substring(0, 8)));
    assertThat(honest.last()).isTrue();
    assertThat(honest.fromStart()).isTrue();
  }

  /** Seen to fail when the branch is not asked for the run's beginning. */
  @Test
  void a_branch_that_lost_the_start_of_the_run_is_detected() throws Exception {
    String other =
        shell(checkout.folder(), "git commit -q --amend -m rewritten && git rev-parse HEAD");
    CheckoutState found = checkout.inspect(RUN, BRANCH, Optional.of(other));
    assertThat(found.last()).isTrue();
    assertThat(found.fromStart()).isFalse();
  }

  private Repository repository() {
    return Repository.in(folder, SHOP);
  }

  private String commit(String file) throws Exception {
    return shell(
        checkout.folder(),
        "echo x > %1$s && git add -A && git commit -q -m %1$s && git rev-parse HEAD"
            .formatted(file));
  }

  private static String shell(Path folder, String command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
      builder.environment().put("GIT_" + who + "_NAME", "Worker");
      builder.environment().put("GIT_" + who + "_EMAIL", "worker@example.org");
    }
    builder.environment().put("GIT_CONFIG_PARAMETERS", "'advice.addEmbeddedRepo=false'");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
