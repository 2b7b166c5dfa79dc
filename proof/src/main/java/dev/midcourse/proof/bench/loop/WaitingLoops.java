package dev.midcourse.proof.bench.loop;

import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.CommitState;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Stores loops that wait for the review of a person. */
final class WaitingLoops {
  private static final String BASE = "b".repeat(40);
  private static final String HEAD = "c".repeat(40);

  private WaitingLoops() {}

  static void store(LoopBenchHub hub, int count) {
    int _ =
        hub.ledger()
            .write(tx -> {
              for (int i = 0; i < count; i++) {
                tx.loops().put(waiting(i, hub.repository()));
              }
              return count;
            });
  }

  static LoopId id(int number) {
    return LoopId.of("waiting-" + number);
  }

  private static Loop waiting(int number, Path repository) {
    Instant now = Instant.now();
    Loop created =
        Loop.created(
            id(number),
            new LoopSpec(
                LoopBenchHub.HOST,
                repository.toString(),
                BranchName.of("main"),
                BranchName.of("waiting-" + number),
                WorkerName.of("any"),
                LoopBenchHub.AGENT,
                new LoopReviewer.OfPerson(),
                Optional.empty(),
                LoopSpec.DEFAULT_REVIEW_TIMEOUT,
                LoopSpec.DEFAULT_CI_TIMEOUT),
            LoopBudget.DEFAULT,
            false,
            "Wait.",
            LoopBenchHub.AUTHOR,
            now);
    CommitState at = new CommitState(HEAD, "tree", true, true, true, List.of(), List.of());
    Loop prepared = after(created, new LoopFact.Prepared(BASE, at), now);
    return after(
        prepared,
        new LoopFact.WorkEnded(1, new CallEnd.Answered("done"), at, Usage.NOTHING, Set.of()),
        now);
  }

  private static Loop after(Loop loop, LoopFact fact, Instant now) {
    return ((Transition.Changed<LoopChange>) LoopStep.apply(loop, fact, now)).next().next();
  }
}
