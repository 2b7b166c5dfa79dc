package dev.midcourse.agents.process.tree;

import static dev.midcourse.agents.process.HostedPrograms.await;
import static dev.midcourse.agents.process.HostedPrograms.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Seed;
import dev.midcourse.agents.process.EscapingPrograms;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.HostedPrograms;
import dev.midcourse.agents.process.KillableHubs;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hundred trees that do not want to end leave no survivor, nor do those whose hub was killed in
 * the middle of a stop. Who is alive is asked of the system, not of the code under test. {@code
 * -Dmidcourse.seed=N} grows the same trees again.
 */
@Tag("slow")
final class ManyTreesTest {
  private static final StopTimeouts SHORT =
      new StopTimeouts(Duration.ZERO, Duration.ofMillis(300), Duration.ofSeconds(30));

  @RegisterExtension final HostedPrograms programs = new HostedPrograms();
  @RegisterExtension final KillableHubs hubs = new KillableHubs(programs);

  /** Seen to fail when ProcessTreeKiller does not look again after its KILLs. */
  @Test
  void t31_t35_two_hundred_trees_of_every_kind_leave_no_process() throws Exception {
    Random random = Seed.drawnFor("trees").random();
    for (int batch = 0; batch < 10; batch++) {
      List<HostedProcess> trees = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        trees.add(programs.perl(EscapingPrograms.some(random)));
      }
      for (HostedProcess tree : trees) {
        await(() -> assertThat(pids(output(tree))).isNotEmpty());
      }
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<TreeKillResult>> endings =
            trees.stream()
                .map(tree -> executor.submit(() -> tree.tree().end(SHORT, () -> {})))
                .toList();
        for (Future<TreeKillResult> ending : endings) {
          assertThat(ending.get()).isInstanceOf(TreeKillResult.Ended.class);
        }
      }
      for (HostedProcess tree : trees) {
        assertNobody(output(tree));
      }
    }
  }

  /** Seen to fail when ProcessTreeKiller does not look again after its KILLs. */
  @Test
  void t30_t35_trees_whose_hub_was_killed_in_the_middle_of_a_stop_are_ended_by_the_next()
      throws Exception {
    Random random = Seed.drawnFor("killed stops").random();
    for (int round = 0; round < 5; round++) {
      List<ProcessMarker> marks = Stream.generate(ProcessMarker::fresh).limit(10).toList();
      List<AttemptFolder> folders =
          marks.stream()
              .map(mark ->
                  programs.lookAfter(
                      new AttemptFolder(programs.root().resolve(mark.token())), mark))
              .toList();
      hubs.start("stop", "stopping", marks);
      TimeUnit.MICROSECONDS.sleep(random.nextInt(400_000));
      hubs.kill();
      for (int i = 0; i < marks.size(); i++) {
        assertThat(programs.host().tree(folders.get(i), marks.get(i)).end(SHORT, () -> {}))
            .isInstanceOf(TreeKillResult.Ended.class);
        assertNobody(Files.readString(folders.get(i).output(OutputFile.OUT)));
      }
    }
  }

  private static void assertNobody(String output) {
    assertThat(pids(output)).noneMatch(HostedPrograms::isAlive);
  }

  private static List<Long> pids(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("pid "))
        .map(line -> Long.parseLong(line.substring(4)))
        .toList();
  }
}
