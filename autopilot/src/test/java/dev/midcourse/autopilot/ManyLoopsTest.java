package dev.midcourse.autopilot;

import static dev.midcourse.autopilot.AutopilotFixture.ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.CommitState;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thousand loops that wait for a person. */
class ManyLoopsTest {
  private static final int LOOPS = 1_000;
  private static final int MAX_MORE_THREADS = 20;
  private static final String HEAD = "c".repeat(40);

  /**
   * Waits hold no thread, neither of the platform nor a virtual one, and each still takes its
   * verdict. Seen to fail when a wait sleeps on a thread of its own.
   */
  @Test
  void t624_a_thousand_waiting_loops_hold_no_thread(@TempDir Path folder) throws Exception {
    try (AutopilotFixture fixture = new AutopilotFixture(folder)) {
      fixture.closeHub();
      fixture.open();
      long before = ManagementFactory.getThreadMXBean().getThreadCount();
      int _ =
          fixture.ledger.write(tx -> {
            for (int i = 0; i < LOOPS; i++) {
              tx.loops().put(waiting(i, fixture.repository));
            }
            return 0;
          });
      fixture.restartHub();
      await().until(() -> virtualThreads(folder) == 0);
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
          .isLessThan((int) before + MAX_MORE_THREADS);
      LoopId last = id(LOOPS - 1);
      Loop done = fixture.loops.apply(last, new LoopCommand.Review(ANNA, HEAD, List.of()));
      assertThat(done.phase()).isEqualTo(LoopPhase.DONE);
      assertThat(fixture.now(id(0)).phase()).isEqualTo(LoopPhase.CHECK);
    }
  }

  private static LoopId id(int number) {
    return LoopId.of("waiting-" + number);
  }

  /** The threads of loops, from a dump of all threads. */
  private static int virtualThreads(Path folder) throws IOException {
    Path dump = folder.resolve("threads-" + System.nanoTime() + ".json");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
    String text = Files.readString(dump);
    Files.delete(dump);
    return text.split("\"name\": \"midcourse-(loop|merge-queue)-", -1).length - 1;
  }

  private static Loop waiting(int number, Path repository) {
    Instant now = Instant.now();
    Loop created =
        Loop.created(
            id(number),
            new LoopSpec(
                HostName.of("here"),
                repository.toString(),
                BranchName.of("main"),
                BranchName.of("work-" + number),
                WorkerName.of("any"),
                AgentName.of("rehearsal"),
                new LoopReviewer.OfPerson(),
                Optional.empty(),
                LoopSpec.DEFAULT_REVIEW_TIMEOUT,
                LoopSpec.DEFAULT_CI_TIMEOUT),
            LoopBudget.DEFAULT,
            false,
            "Wait.",
            ANNA,
            now);
    CommitState at = new CommitState(HEAD, "tree", true, true, true, List.of(), List.of());
    Loop prepared = after(created, new LoopFact.Prepared("b".repeat(40), at), now);
    return after(
        prepared,
        new LoopFact.WorkEnded(1, new CallEnd.Answered("done"), at, Usage.NOTHING, Set.of()),
        now);
  }

  private static Loop after(Loop loop, LoopFact fact, Instant now) {
    return ((Transition.Changed<LoopChange>) LoopStep.apply(loop, fact, now)).next().next();
  }
}
