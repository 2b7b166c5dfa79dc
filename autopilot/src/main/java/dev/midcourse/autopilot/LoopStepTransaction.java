package dev.midcourse.autopilot;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Transition;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueAct;
import dev.midcourse.core.loop.queue.QueueChange;
import dev.midcourse.core.loop.queue.QueueFact;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.core.loop.queue.QueueStep;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores the steps of loops and of merge queues that follow from one fact, all in one transaction:
 * a loop that leaves a queue learns how it ended there, or the queue learns that the loop left.
 */
final class LoopStepTransaction {
  private final Transaction tx;
  private final Instant now;
  private final List<LoopChange> loops = new ArrayList<>();
  private final List<QueueActs> queues = new ArrayList<>();

  LoopStepTransaction(Transaction tx, Instant now) {
    this.tx = tx;
    this.now = now;
  }

  /** What is to be done for a queue after the commit. */
  record QueueActs(MergeQueue queue, List<QueueAct> acts) {}

  /** What is to be done after the commit. */
  record Stored(List<LoopChange> loops, List<QueueActs> queues) {
    Stored {
      loops = List.copyOf(loops);
      queues = List.copyOf(queues);
    }
  }

  Stored stored() {
    return new Stored(loops, queues);
  }

  /** Stores what follows from a fact; returns the loop afterwards. */
  Loop apply(LoopId id, LoopFact fact) {
    Loop loop = tx.loops().loop(id).orElseThrow(() -> LoopService.notFound(id));
    if (fact instanceof LoopFact.ForgeWrote wrote) {
      ForgeOutbox.store(tx, id, wrote, now);
    }
    return switch (LoopStep.apply(loop, fact, now)) {
      case Transition.Changed(LoopChange change) -> {
        tx.loops().put(change.next());
        orderWrites(id, change);
        change.news().forEach(sentence -> tell(change.next(), sentence));
        loops.add(change);
        if (loop.phase() == LoopPhase.LAND && change.next().phase() != LoopPhase.LAND) {
          apply(QueueKey.of(loop), new QueueFact.Left(id));
        }
        yield change.next();
      }
      case Transition.Stale<LoopChange> _ -> {
        loops.add(new LoopChange(loop, List.of(), List.of()));
        yield loop;
      }
      case Transition.Rejected(Problem problem) -> throw problem.refused();
    };
  }

  /** Stores what follows from a fact about a queue, and what its loops learn. */
  void apply(QueueKey key, QueueFact fact) {
    MergeQueue queue = tx.loops().queue(key).orElseGet(() -> MergeQueue.empty(key));
    switch (QueueStep.apply(queue, fact, now)) {
      case Transition.Changed(QueueChange change) -> {
        tx.loops().put(change.next());
        for (QueueChange.News news : change.news()) {
          Optional<Loop> loop = tx.loops().loop(news.loop());
          loop.ifPresent(its -> tell(its, news.text()));
        }
        queues.add(new QueueActs(change.next(), change.acts()));
        for (QueueChange.Outcome outcome : change.outcomes()) {
          Loop _ = apply(outcome.loop(), outcome.fact());
        }
      }
      case Transition.Stale<QueueChange> _ -> {}
      case Transition.Rejected(Problem problem) -> throw problem.refused();
    }
  }

  /** Enters the acts at the forge into the outbox. */
  private void orderWrites(LoopId id, LoopChange change) {
    for (LoopAct act : change.acts()) {
      if (act instanceof LoopAct.Write(String key, ForgeAct write)) {
        ForgeOutbox.order(tx, id, key, write, now);
      }
    }
  }

  private void tell(Loop loop, String sentence) {
    tx.append(RunId.of(loop.id().value()), now, new RunEvent.LoopMoved(loop.phase(), sentence));
  }
}
