package dev.midcourse.agents.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.RepoName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Private git folders of agents with random hostile content. The import takes over whole commits of
 * the branch or refuses with a reason, and changes nothing else of the clone. Prints its seed;
 * {@code -Dmidcourse.seed=N} replays it.
 */
class RandomPrivateRepositoryTest {
  /** The seed of the short form, which is the same each time; the long form draws one. */
  private static final long SEED = 8_130_268_101_512L;

  /**
   * Each is a command of the agent in its git folder; {@code $O} is a random file of objects,
   * {@code $F} a random file of references, {@code $D} the folder of the worktree, {@code $OUTSIDE}
   * a folder that a link of the agent leads to.
   */
  private static final List<String> COMMANDS =
      List.of(
          "own commit -q --allow-empty -m more",
          "echo $R > $W/a.txt; own commit -q -a -m more",
          "own commit -q --amend --allow-empty -m amended",
          "own checkout -q --detach",
          "own checkout -q -b new-$R; own commit -q --allow-empty -m new",
          "own update-ref refs/heads/main HEAD",
          "own pack-refs --all",
          "own repack -q -a -d",
          "own replace HEAD HEAD^",
          "own rev-parse HEAD > info/grafts",
          "own rev-parse HEAD > shallow",
          "own config core.fsmonitor $RUN; own config gc.recentObjectsHook $RUN",
          "own config core.alternateRefsCommand $RUN; own config uploadpack.packObjectsHook $RUN",
          "for h in reference-transaction post-index-change pre-auto-gc; do cp $RUN hooks/$h; done",
          "echo $W/.evil > commondir; echo $W/.evil > $D/commondir",
          "echo /nowhere > objects/info/alternates",
          "truncate -s 3G $D/index",
          "chmod u+w $O; head -c 40 /dev/urandom > $O",
          "chmod u+w $O; truncate -s 5 $O",
          "rm -f $O",
          "rm -f $O; ln -s $OUTSIDE/file $O",
          "rm -f $O; mkfifo $O",
          "rm -f $O; mkdir $O",
          "rm -f $F; mkfifo $F",
          "rm -f $F; ln -s $OUTSIDE/file $F",
          "rm -f $F; mkdir $F",
          "echo 'ref: refs/heads/main' > $F",
          "echo 'ref: ../../../../HEAD' > $F",
          "head -c 3000 /dev/urandom > $F",
          "head -c 40000000 /dev/zero > packed-refs",
          "printf '%s refs/heads/../../main\\n' $(own rev-parse HEAD) >> packed-refs",
          "mkdir -p objects/pack; head -c 300 /dev/urandom > objects/pack/pack-$(printf '%040d' $R).pack",
          "rm -rf objects; ln -s $OUTSIDE objects",
          "rm -rf worktrees; ln -s $OUTSIDE worktrees",
          "rm -rf refs; ln -s $OUTSIDE refs");

  private static final List<String> FILES =
      List.of("HEAD", "refs/heads/work", "packed-refs", "worktrees/work/HEAD", "refs/heads/main");

  /** Seen to fail when an agent made a folder of packed-refs, and no further start was possible. */
  @Test
  void an_import_takes_whole_commits_of_the_branch_or_refuses(@TempDir Path folder)
      throws Exception {
    play(folder, 10, SEED);
  }

  @Test
  @Tag("long")
  void many_imports_take_whole_commits_of_the_branch_or_refuse(@TempDir Path folder)
      throws Exception {
    play(folder, 500, System.nanoTime());
  }

  private static void play(Path temporary, int count, long defaultSeed) throws Exception {
    long seed = Long.getLong("midcourse.seed", defaultSeed);
    System.out.println("RandomPrivateRepositoryTest: -Dmidcourse.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      Path folder = Files.createDirectories(temporary.toRealPath().resolve("r" + i));
      new One(folder, random).importOrRefuse(seed);
    }
  }

  /** One clone with a worktree and the private git folder of its agent. */
  private record One(Path folder, Random random) {

    void importOrRefuse(long seed) throws Exception {
      Path escaped = folder.resolve("escaped");
      Path program =
          Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\ntouch " + escaped + "\ncat\n");
      assertThat(program.toFile().setExecutable(true)).isTrue();
      shell(
          """
          git init -q -b main clone; cd clone; echo one > a.txt; git add a.txt; git commit -q -m one
          git worktree add -q -b work ../work; mkdir ../outside; echo secret > ../outside/file
          """,
          true);
      Path work = folder.resolve("work");
      PrivateRepository agents = PrivateRepository.of(work).orElseThrow();
      agents.prepare();
      String before = state(true);
      StringBuilder played = new StringBuilder();
      act(agents, COMMANDS.get(1), played);
      for (int step = 0; step < 6; step++) {
        act(agents, COMMANDS.get(random.nextInt(COMMANDS.size())), played);
      }
      if (!state(false).equals(before)) {
        // The agent has no sandbox here. Its own git has followed a reference such as
        // ../../../../HEAD into the clone, which a sandbox keeps it from writing.
        return;
      }
      Files.deleteIfExists(escaped);
      String what = "seed %d:%n%s".formatted(seed, played);
      try {
        agents.importCommits();
      } catch (RefusedException refused) {
        assertThat(refused.description()).as(what).isNotBlank();
      }
      assertThat(state(true)).as(what).isEqualTo(before);
      shell("cd clone; git rev-list --objects --all >/dev/null && git fsck --strict", true);
      List<String> _ =
          CheckoutRepair.repair(work, Repository.in(folder, RepoName.of("acme/clone")));
      agents.prepare();
      assertThat(state(true)).as(what).isEqualTo(before);
      assertThat(escaped).as(what).doesNotExist();
    }

    /** Everything of the clone that no agent may change. */
    private String state(boolean must) throws Exception {
      return shell(
          """
          cd clone; git rev-parse main; cat .git/HEAD .git/config .git/worktrees/work/commondir
          ls .git .git/hooks .git/info .git/objects/info; git replace -l
          """,
          must);
    }

    private void act(PrivateRepository agents, String command, StringBuilder played)
        throws Exception {
      String file = FILES.get(random.nextInt(FILES.size()));
      String script =
          """
          cd %1$s; W=%2$s; D=%1$s/worktrees/work; RUN=%3$s; R=%4$d; F=%5$s; OUTSIDE=%8$s
          O=$(find objects -type f | sort | sed -n $((R %% 7 + 1))p); O=${O:-objects/none}
          own() { GIT_DIR=$D GIT_COMMON_DIR=%1$s GIT_WORK_TREE=$W GIT_ALTERNATE_OBJECT_DIRECTORIES=%6$s git "$@"; }
          %7$s
          """
              .formatted(
                  agents.folder(),
                  folder.resolve("work"),
                  folder.resolve("run.sh"),
                  random.nextInt(10_000),
                  file,
                  folder.resolve("clone/.git/objects"),
                  command,
                  folder.resolve("outside"));
      // The agent's own git may wait for ever at a FIFO.
      played.append(command).append(" # ").append(file).append('\n');
      shell("timeout -s KILL 10 sh -c " + quoted(script), false);
    }

    private static String quoted(String text) {
      return "'" + text.replace("'", "'\\''") + "'";
    }

    private String shell(String script, boolean must) throws Exception {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", script)
              .directory(folder.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
      for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
        builder.environment().put("GIT_" + who + "_NAME", "Worker");
        builder.environment().put("GIT_" + who + "_EMAIL", "worker@example.org");
      }
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      int status = process.waitFor();
      if (must) {
        assertThat(status).as(script + "\n" + output).isZero();
      }
      return output;
    }
  }
}
