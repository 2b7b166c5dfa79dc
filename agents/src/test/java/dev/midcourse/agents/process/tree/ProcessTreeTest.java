package dev.midcourse.agents.process.tree;

import static dev.midcourse.agents.process.HostedPrograms.await;
import static dev.midcourse.agents.process.HostedPrograms.exitOf;
import static dev.midcourse.agents.process.HostedPrograms.isAlive;
import static dev.midcourse.agents.process.HostedPrograms.kill;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static dev.midcourse.agents.process.HostedPrograms.wrapperPid;
import static dev.midcourse.agents.process.HostedPrograms.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.PlatformSupport;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.ProcessExit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whether something is alive is asked here of the system itself, not of the code under test. */
final class ProcessTreeTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final StopTimeouts LONG_TIMEOUTS = new StopTimeouts(LONG, LONG, LONG);
  private static final StopTimeouts TERM_ONLY = new StopTimeouts(Duration.ZERO, LONG, LONG);

  /** A grandchild in its own session, without an environment, and without its parents. */
  private static final String FUGITIVE =
      """
      use POSIX (); $| = 1;
      sub fugitive { my @what = @_; if (my $p = fork) { waitpid $p, 0; return }
        POSIX::setsid(); exit if fork; chdir "/"; print "pid $$\\n";
        exec { "/usr/bin/env" } "env", "-i", @what }
      """;

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();

  @RegisterExtension
  final HostedPrograms withoutSubreaper =
      new HostedPrograms(PlatformSupport.ofThisSystem().withoutSubreaper());

  @RegisterExtension
  final HostedPrograms withoutLinux =
      new HostedPrograms(PlatformSupport.ofThisSystem().withoutLinux());

  private static List<Long> pids(HostedProcess program) throws IOException {
    return output(program)
        .lines()
        .filter(line -> line.startsWith("pid "))
        .map(line -> Long.parseLong(line.substring(4)))
        .toList();
  }

  private static List<Long> awaitPids(HostedProcess program, int count) throws IOException {
    await(() -> assertThat(pids(program)).hasSizeGreaterThanOrEqualTo(count));
    return pids(program);
  }

  private static TreeKillResult.Ended ended(TreeKillResult ending) {
    assertThat(ending).isInstanceOf(TreeKillResult.Ended.class);
    return (TreeKillResult.Ended) ending;
  }

  private static void assertGone(HostedProcess program, List<Long> pids) throws Exception {
    assertThat(pids).noneMatch(HostedPrograms::isAlive);
    assertThat(isAlive(wrapperPid(program))).as("the wrapper is alive").isFalse();
    assertThat(program.tree().alive()).isEmpty();
  }

  @Test
  void a_program_that_is_asked_and_goes_gets_no_signal() throws Exception {
    HostedProcess program = programs.shell("echo pid $$; read -r a; echo \"heard $a\"; exit 3");
    List<Long> pids = awaitPids(program, 1);
    TreeKillResult.Ended ended =
        ended(
            program
                .tree()
                .end(
                    LONG_TIMEOUTS,
                    () -> {
                      try {
                        write(program, "please go\n");
                      } catch (InterruptedException asked) {
                        throw new IllegalStateException(asked);
                      }
                    }));
    assertThat(ended.byTerm() + ended.byKill()).isZero();
    assertThat(ended.byThemselves()).as("program and wrapper").isEqualTo(2);
    assertThat(output(program)).contains("heard please go");
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(3));
    assertGone(program, pids);
  }

  @Test
  void asking_that_fails_or_hangs_only_uses_up_its_own_grace() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    StopTimeouts grace = new StopTimeouts(Duration.ofMillis(50), LONG, LONG);
    HostedProcess hanging = programs.shell("echo pid $$; read -r a");
    List<Long> pids = awaitPids(hanging, 1);
    ended(
        hanging
            .tree()
            .end(
                grace,
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException asked) {
                    throw new IllegalStateException(asked);
                  }
                }));
    assertGone(hanging, pids);
    never.countDown();
    HostedProcess failing = programs.shell("echo pid $$; read -r a");
    ended(
        failing
            .tree()
            .end(
                grace,
                () -> {
                  throw new IllegalStateException("no way to ask");
                }));
    assertGone(failing, pids(failing));
  }

  @Test
  void term_is_enough_for_one_that_obeys_and_its_status_is_kept() throws Exception {
    HostedProcess program = programs.shell("echo pid $$; read -r a");
    List<Long> pids = awaitPids(program, 1);
    TreeKillResult.Ended ended = ended(program.tree().end(TERM_ONLY, () -> {}));
    assertThat(ended.byTerm()).isEqualTo(1);
    assertThat(ended.byKill()).isZero();
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(143));
    assertGone(program, pids);
  }

  @Test
  void one_that_ignores_term_is_killed() throws Exception {
    HostedProcess program =
        programs.shell(
            "trap '' TERM INT HUP; echo pid $$; for i in $(seq 1000); do sleep 0.05; done");
    List<Long> pids = awaitPids(program, 1);
    StopTimeouts shortTimeouts = new StopTimeouts(Duration.ZERO, Duration.ofMillis(100), LONG);
    TreeKillResult.Ended ended = ended(program.tree().end(shortTimeouts, () -> {}));
    assertThat(ended.byKill()).isPositive();
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(137));
    assertGone(program, pids);
  }

  @Test
  void one_that_is_stopped_is_ended() throws Exception {
    HostedProcess program = programs.shell("echo pid $$; kill -STOP $$; read -r a");
    List<Long> pids = awaitPids(program, 1);
    await(() ->
        assertThat(program.tree().alive())
            .anyMatch(one -> one.pid() == pids.getFirst() && one.state() == 'T'));
    assertThat(ended(program.tree().end(TERM_ONLY, () -> {})).byTerm()).isEqualTo(1);
    assertGone(program, pids);
  }

  @Test
  void one_that_has_taken_another_name_is_ended() throws Exception {
    HostedProcess program =
        programs.shell("echo pid $$; exec perl -e '$0 = \"innocent\"; sleep 60'");
    List<Long> pids = awaitPids(program, 1);
    await(() ->
        assertThat(program.tree().alive())
            .anyMatch(one -> one.pid() == pids.getFirst() && one.name().equals("innocent")));
    ended(program.tree().end(TERM_ONLY, () -> {}));
    assertGone(program, pids);
  }

  /** Seen to fail when the wrapper does not adopt what its children leave behind. */
  @Test
  void t30_t35_a_grandchild_that_left_session_parents_and_environment_is_ended() throws Exception {
    HostedProcess program = programs.perl(FUGITIVE + "fugitive(qw(sleep 60)); sleep 60");
    List<Long> pids = awaitPids(program, 1);
    ended(program.tree().end(TERM_ONLY, () -> {}));
    assertGone(program, pids);
  }

  @Test
  void leftover_processes_are_ended_also_by_a_hub_that_knows_only_the_mark() throws Exception {
    HostedProcess program = programs.perl(FUGITIVE + "fugitive(qw(sleep 60)); exit 0");
    List<Long> pids = awaitPids(program, 1);
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(0));
    assertThat(isAlive(wrapperPid(program))).as("the wrapper stays for the adopted").isTrue();
    try (ProcessHost nextHub = ProcessHost.open()) {
      assertThat(nextHub.find(program.folder(), program.mark()))
          .isInstanceOfSatisfying(
              AttachResult.Over.class,
              over -> assertThat(over.exit()).isEqualTo(new ProcessExit.Status(0)));
      ProcessTree tree = nextHub.tree(program.folder(), program.mark());
      ended(tree.end(TERM_ONLY, () -> {}));
    }
    assertGone(program, pids);
  }

  @Test
  void the_wrapper_leaves_by_itself_after_the_last_of_the_adopted() throws Exception {
    HostedProcess program = programs.perl(FUGITIVE + "fugitive(qw(sleep 60)); exit 0");
    List<Long> pids = awaitPids(program, 1);
    exitOf(program);
    assertThat(isAlive(wrapperPid(program))).isTrue();
    kill(pids.getFirst());
    await(() -> assertThat(isAlive(wrapperPid(program))).isFalse());
  }

  /** Seen to fail when ProcessTreeKiller takes the end of the program for the end of its tree. */
  @Test
  void t31_one_that_holds_the_output_open_after_its_parent_died_is_ended() throws Exception {
    HostedProcess program =
        programs.shell("sh -c 'trap \"\" HUP TERM; echo pid $$; sleep 60; :' & exit 0");
    List<Long> pids = awaitPids(program, 1);
    exitOf(program);
    assertThat(program.tree().alive()).isNotEmpty();
    ended(program.tree().end(new StopTimeouts(LONG, Duration.ofMillis(50), LONG), () -> {}));
    assertGone(program, pids);
  }

  @Test
  void marked_processes_are_ended_after_their_wrapper_was_killed() throws Exception {
    HostedProcess program =
        programs.shell("setsid sh -c 'echo pid $$; sleep 60' & echo pid $$; sleep 60");
    List<Long> pids = awaitPids(program, 2);
    kill(wrapperPid(program));
    ended(program.tree().end(TERM_ONLY, () -> {}));
    assertGone(program, pids);
  }

  @Test
  void one_that_starts_children_all_the_time_is_ended_with_all_of_them() throws Exception {
    HostedProcess program =
        programs.perl(
            """
            $| = 1; $SIG{TERM} = 'IGNORE'; $SIG{CHLD} = 'IGNORE';
            for (1 .. 2_000) { my $p = fork; if (!$p) { print "pid $$\\n"; exec "sleep", "60" }
              select(undef, undef, undef, 0.002) }
            """);
    awaitPids(program, 20);
    TreeKillResult.Ended ended =
        ended(
            program
                .tree()
                .end(new StopTimeouts(Duration.ZERO, Duration.ofMillis(30), LONG), () -> {}));
    assertThat(ended.processes()).isGreaterThan(20);
    assertGone(program, pids(program));
  }

  /** Each process forks and exits at once, so no scan sees it alive. */
  @Test
  void one_that_forks_and_leaves_over_and_over_is_caught() throws Exception {
    String hopping =
        "use POSIX (); open(F, q(>>), q(hops)); for (1 .. 100_000) { syswrite(F, qq(x)); exit if"
            + " fork; POSIX::setsid() }";
    HostedProcess program =
        programs.perl(
            FUGITIVE.replace("chdir \"/\";", "")
                + "fugitive(qw(perl -e), '"
                + hopping
                + "'); sleep 60");
    awaitPids(program, 1);
    Path hops = programs.root().resolve("hops");
    await(() -> assertThat(hops).exists().satisfies(f -> assertThat(Files.size(f)).isPositive()));
    ended(program.tree().end(StopTimeouts.IMMEDIATE, () -> {}));
    long size = Files.size(hops);
    assertGone(program, List.of());
    assertThat(Files.size(hops)).as("it hops no more").isEqualTo(size);
  }

  /**
   * With and without somebody who adopts the newcomer, which is a program of its own before its
   * parent leaves: a TERM between fork and exec is caught by the parent's trap and lost. Seen to
   * fail when ProcessTreeKiller does not look again after its TERMs.
   */
  @Test
  void t33_one_that_is_started_at_the_moment_of_the_stop_is_ended_in_good_time_too()
      throws Exception {
    for (HostedPrograms way : List.of(programs, withoutSubreaper)) {
      HostedProcess program =
          way.shell(
              """
              newcomer() {
                setsid sh -c 'echo pid $$; : >up; exec sleep 600' &
                until [ -e up ]; do sleep 0.01; done
              }
              trap 'newcomer; exit 0' TERM
              echo pid $$
              while :; do sleep 0.01; done
              """);
      awaitPids(program, 1);
      TreeKillResult.Ended ended = ended(program.tree().end(TERM_ONLY, () -> {}));
      assertThat(ended.byKill()).isZero();
      assertThat(pids(program)).hasSize(2);
      assertGone(program, pids(program));
    }
  }

  @Test
  void descendants_are_found_without_reading_all_processes() throws Exception {
    HostedProcess program =
        programs.shell("sh -c 'sh -c \"echo pid \\$\\$; sleep 60; :\"; :'; echo pid $$");
    long deepest = awaitPids(program, 1).getFirst();
    try (ProcfsTable table = new ProcfsTable(Path.of("/proc"))) {
      assertThat(table.descendants(wrapperPid(program)))
          .extracting(ProcessEntry::pid)
          .contains(deepest)
          .hasSize(4);
    }
  }

  @Tag("slow")
  @Test
  void fifty_trees_ended_at_once_leave_no_process() throws Exception {
    List<HostedProcess> trees = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      trees.add(
          programs.perl(
              FUGITIVE
                  + "fugitive(qw(sleep 60)); if (!fork) { print qq(pid $$\\n); sleep 60 }"
                  + " print qq(pid $$\\n); sleep 60"));
    }
    for (HostedProcess tree : trees) {
      awaitPids(tree, 3);
    }
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<TreeKillResult>> endings =
          trees.stream()
              .map(tree -> executor.submit(() -> tree.tree().end(TERM_ONLY, () -> {})))
              .toList();
      for (Future<TreeKillResult> ending : endings) {
        assertThat(ended(ending.get()).processes()).isEqualTo(4);
      }
    }
    for (HostedProcess tree : trees) {
      assertGone(tree, pids(tree));
    }
  }

  @Test
  void a_tree_that_is_gone_is_ended_at_once() throws Exception {
    HostedProcess program = programs.shell("exit 0");
    exitOf(program);
    await(() -> assertThat(isAlive(wrapperPid(program))).isFalse());
    CountDownLatch asked = new CountDownLatch(1);
    assertThat(ended(program.tree().end(LONG_TIMEOUTS, asked::countDown)).processes()).isZero();
    assertThat(asked.getCount()).as("nobody was asked").isEqualTo(1);
  }

  @Test
  void without_a_subreaper_members_of_the_programs_session_are_found() throws Exception {
    HostedProcess program =
        withoutSubreaper.shell(
            "sh -c 'env -i sh -c \"echo pid \\$\\$; sleep 60\" &'; echo pid $$; sleep 60");
    List<Long> pids = awaitPids(program, 2);
    ended(program.tree().end(TERM_ONLY, () -> {}));
    assertGone(program, pids);
  }

  @Test
  void without_linux_descendants_are_ended() throws Exception {
    assumeTrue(
        orphansAreCollected(),
        "process 1 does not collect orphans here, and without /proc a dead orphan looks alive");
    HostedProcess program =
        withoutLinux.shell("sh -c 'echo pid $$; sleep 60' & echo pid $$; sleep 60");
    List<Long> pids = awaitPids(program, 2);
    ended(program.tree().end(TERM_ONLY, () -> {}));
    assertGone(program, pids);
    assertThat(exitOf(program)).isEqualTo(new ProcessExit.Status(143));
  }

  private static boolean orphansAreCollected() throws Exception {
    Process parent = new ProcessBuilder("/bin/sh", "-c", "sleep 0.1 >/dev/null & echo $!").start();
    long orphan = Long.parseLong(parent.inputReader(StandardCharsets.UTF_8).readLine());
    parent.waitFor();
    Instant end = Instant.now().plus(HostedPrograms.TIMEOUT);
    while (ProcessHandle.of(orphan).isPresent() && Instant.now().isBefore(end)) {
      Thread.sleep(10);
    }
    return ProcessHandle.of(orphan).isEmpty();
  }

  @Test
  void two_trees_do_not_touch_each_other() throws Exception {
    HostedProcess one = programs.shell("echo pid $$; sleep 60");
    HostedProcess other = programs.shell("echo pid $$; sleep 60");
    awaitPids(one, 1);
    awaitPids(other, 1);
    ended(one.tree().end(TERM_ONLY, () -> {}));
    assertThat(pids(other)).allMatch(HostedPrograms::isAlive);
    assertThat(isAlive(wrapperPid(other))).isTrue();
  }
}
