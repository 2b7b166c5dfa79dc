package dev.midcourse.agents.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.RepoName;
import dev.midcourse.core.id.RunId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile repositories made at random: commits with names and contents that git treats specially,
 * and files of the git folder with random hostile content. Prints its seed; {@code
 * -Dmidcourse.seed=N} replays it.
 */
class RandomRepositoryTest {
  private static final RunId RUN = RunId.of("run-1");
  private static final BranchName BRANCH = BranchName.of("jarvis-a");

  private static final List<String> NAMES =
      List.of(
          "a.txt",
          "A.TXT",
          "dir/b",
          "dir/.gitattributes",
          ".gitattributes",
          ".gitignore",
          ".gitmodules",
          ".lfsconfig",
          "-rf",
          ":(top)x",
          "caf\u00e9",
          "cafe\u0301",
          "x y",
          "sub/c",
          ".mailmap",
          "nul\u200bl",
          "'quoted\"",
          "*",
          ".GITIGNORE");

  private static final List<String> CONTENTS =
      List.of(
          "* filter=x diff=x\n",
          "* -diff\n",
          "* binary\n",
          "* text eol=crlf\n",
          "*\n",
          "!a.txt\n",
          "one\n",
          "one\r\ntwo\r\n",
          "no line end",
          "",
          "\u0000binary\u0000",
          "diff --git a/x b/x\n",
          "[submodule \"s\"]\npath = sub\nurl = ext::sh\nignore = all\n",
          "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
          "* ident\n",
          "* working-tree-encoding=UTF-16\n",
          "[core]\nfsmonitor = $RUN\n");

  /** Each is a command of the agent; {@code $N} is a random name, {@code $C} random content. */
  private static final List<String> COMMANDS =
      List.of(
          "mkdir -p \"$(dirname \"./$N\")\"; printf %s \"$C\" > \"./$N\"",
          "mkdir -p \"$(dirname \"./$N\")\"; printf %s \"$C\" > \"./$N\"",
          "git add -A; git commit -q -m random",
          "rm -rf \"./$N\"; ln -s ../outside \"./$N\"; git add -A; git commit -q -m link",
          "git init -q nest; git -C nest config core.fsmonitor $RUN; git -C nest commit -q"
              + " --allow-empty -m n; git add -A; git commit -q -m nested",
          "git mv a.txt moved; git commit -q -m moved",
          "git rm -q -r --cached .; git commit -q -m removed",
          "git replace HEAD $(git commit-tree -m x HEAD^{tree})",
          "git replace --graft HEAD",
          "git rev-parse HEAD > $G/info/grafts",
          "printf %s \"$C\" > $G/info/attributes",
          "printf %s \"$C\" > $G/info/exclude",
          "printf %s \"$C\" > $D/index",
          "git update-index --skip-worktree a.txt",
          "git update-index --assume-unchanged a.txt",
          "git sparse-checkout set --no-cone \"$N\"",
          "git config core.fsmonitor $RUN",
          "git config diff.external $RUN",
          "git config filter.x.clean $RUN; git config filter.x.smudge $RUN",
          "git config diff.x.textconv $RUN; git config diff.submodule diff",
          "git config core.hooksPath $G/evil; mkdir -p $G/evil; cp $RUN $G/evil/post-index-change",
          "cp $RUN $G/hooks/reference-transaction; cp $RUN $G/hooks/post-checkout",
          "git commit-graph write --reachable",
          "git repack -q -a -d",
          "git checkout -q --detach",
          "git checkout -q jarvis-a",
          "git stash -q");

  /** Commands after which git itself or the hub refuses most repositories. Few get one. */
  private static final List<String> TAMPERING =
      List.of(
          "printf %s \"$C\" > $G/config.worktree; git config extensions.worktreeConfig true",
          "printf %s \"$C\" >> $G/packed-refs",
          "git init -q nest; echo $PWD/nest/.git > $G/commondir",
          "git init -q nest; echo $PWD/nest > $D/commondir");

  private static final int TAMPERED_ONE_IN = 8;

  /** Makes a commit that changes a file, whatever the commands have left in the index. */
  private static final String LAST_COMMIT =
      "rm -f $D/index $D/index.lock; git reset -q; git checkout -q jarvis-a; rm -rf a.txt;"
          + " echo changed > a.txt; git add -A; git add -f a.txt; git commit -q -m last";

  /** The last command: one that would make a naive comparison show something else. */
  private static final List<String> DISGUISES =
      List.of(
          "git replace HEAD^{tree} $(git rev-parse main^{tree})",
          "git replace HEAD $(git commit-tree -m x main^{tree})",
          "git replace HEAD:a.txt $(echo hello | git hash-object -w --stdin)",
          "echo '* -diff' > $G/info/attributes; echo '* -diff' > .gitattributes",
          "git update-index --skip-worktree a.txt; echo hidden > a.txt",
          "git config diff.external $RUN; git config diff.ignoreSubmodules all");

  /**
   * Seen to fail with each of three seeds when the hub compares in the git folder of the clone and
   * follows replace references.
   */
  @Test
  void random_hostile_repositories_run_nothing_and_are_shown_as_a_push_sends_them(
      @TempDir Path folder) throws Exception {
    play(folder, 8);
  }

  @Test
  @Tag("long")
  void many_random_hostile_repositories_run_nothing(@TempDir Path folder) throws Exception {
    play(folder, 400);
  }

  private static void play(Path temporary, int count) throws Exception {
    long seed = Long.getLong("midcourse.seed", System.nanoTime());
    System.out.println("RandomRepositoryTest: -Dmidcourse.seed=" + seed);
    Random random = new Random(seed);
    int compared = 0;
    for (int i = 0; i < count; i++) {
      Path folder = Files.createDirectories(temporary.toRealPath().resolve("r" + i));
      String disguise = DISGUISES.get(i % DISGUISES.size());
      if (new One(folder, random, disguise).isShownAsSent(seed)) {
        compared++;
      }
    }
    assertThat(compared).as("repositories of seed %d that could be compared", seed).isPositive();
  }

  /** One repository. */
  private record One(Path folder, Random random, String disguise) {

    /** Returns false if the hub refused the repository, with an error that names the reason. */
    boolean isShownAsSent(long seed) throws Exception {
      Path clone = Files.createDirectories(folder.resolve("shop"));
      Path escaped = folder.resolve("escaped");
      Path program =
          Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\ntouch " + escaped + "\ncat\n");
      assertThat(program.toFile().setExecutable(true)).isTrue();
      shell(
          clone, "git init -q -b main; echo hello > a.txt; git add -A; git commit -q -m one", true);
      String start = shell(clone, "git rev-parse HEAD", true);
      Repository repository = Repository.in(folder, RepoName.of("acme/shop"));
      Checkout checkout = repository.checkOut(folder.resolve("work"), BRANCH, Optional.empty());
      checkout.markStart(RUN, true);
      StringBuilder played = new StringBuilder();
      for (int step = 0; step < 12; step++) {
        String command = COMMANDS.get(random.nextInt(COMMANDS.size()));
        played.append(command).append('\n');
        act(checkout.folder(), clone, command);
      }
      act(checkout.folder(), clone, LAST_COMMIT);
      if (random.nextInt(TAMPERED_ONE_IN) == 0) {
        String tampering = TAMPERING.get(random.nextInt(TAMPERING.size()));
        played.append(tampering).append('\n');
        act(checkout.folder(), clone, tampering);
      }
      played.append(disguise).append('\n');
      act(checkout.folder(), clone, disguise);
      Files.deleteIfExists(escaped);
      try {
        Patch patch = checkout.diff(RUN, Optional.of(BRANCH));
        checkout.inspect(RUN, BRANCH, Optional.of("HEAD"));
        Path git = clone.resolve(".git");
        String tip =
            new AgentReferences(git, Path.of("HEAD")).commit("refs/heads/jarvis-a").orElseThrow();
        int open = patch.text().indexOf("\\ Midcourse: ");
        String committed = open < 0 ? patch.text() : patch.text().substring(0, open);
        assertThat(committed.strip())
            .as("seed %d:%n%s", seed, played)
            .isEqualTo(sent(clone, start, tip));
        checkout.reset();
        return true;
      } catch (RefusedException refused) {
        assertThat(refused.description()).as("seed %d:%n%s", seed, played).isNotBlank();
        return false;
      } finally {
        assertThat(escaped).as("seed %d:%n%s", seed, played).doesNotExist();
      }
    }

    private void act(Path work, Path clone, String command) throws Exception {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      String content = CONTENTS.get(random.nextInt(CONTENTS.size()));
      shell(
          work,
          "RUN=%s; G=%s; D=%s; N=%s; C=%s; %s"
              .formatted(
                  folder.resolve("run.sh"),
                  clone.resolve(".git"),
                  clone.resolve(".git/worktrees/work"),
                  quoted(name),
                  quoted(content.replace("\u0000", "")),
                  command),
          false);
    }

    private String sent(Path clone, String start, String tip) throws Exception {
      Path other = Files.createDirectories(folder.resolve("other"));
      shell(
          other,
          "git init -q --bare; rm -r objects; cp -r "
              + clone
              + "/.git/objects objects"
              + "; rm -rf objects/info",
          true);
      return shell(
          other,
          "git --no-replace-objects -c core.quotePath=false -c core.commitGraph=false diff"
              + " --ignore-submodules=none %s %s".formatted(start, tip),
          true);
    }

    private static String quoted(String text) {
      return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String shell(Path at, String command, boolean must) throws Exception {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", command)
              .directory(at.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
        builder.environment().put("GIT_" + who + "_NAME", "Worker");
        builder.environment().put("GIT_" + who + "_EMAIL", "worker@example.org");
      }
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      int status = process.waitFor();
      if (must) {
        assertThat(status).as(command + "\n" + output).isZero();
      }
      return output;
    }
  }
}
