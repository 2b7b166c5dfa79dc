package dev.midcourse.core.loop.queue;

import dev.midcourse.core.id.LoopId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The loops that wait to land on one branch, in the order in which they came. Only {@link
 * QueueStep} changes it.
 *
 * @param entries the waiting loops, the next one first
 * @param trial the test of the first ones, if there is one
 * @param suspects so many of the first loops were red together, although each is clean alone; 0 for
 *     none
 * @param trials how many trials there were
 */
public record MergeQueue(
    QueueKey key, List<QueueEntry> entries, Optional<MergeTrial> trial, int suspects, int trials) {
  public MergeQueue {
    entries = List.copyOf(entries);
  }

  public static MergeQueue empty(QueueKey key) {
    return new MergeQueue(key, List.of(), Optional.empty(), 0, 0);
  }

  public Optional<QueueEntry> entry(LoopId loop) {
    return entries.stream().filter(it -> it.loop().equals(loop)).findFirst();
  }

  /** The entries of the loops of the trial, in their order. */
  public List<QueueEntry> members() {
    return trial
        .map(its -> its.members().stream().flatMap(loop -> entry(loop).stream()).toList())
        .orElse(List.of());
  }

  /** When it has to be asked what it does next, although nothing happened. */
  public Optional<Instant> nextDue() {
    return trial.flatMap(MergeTrial::due);
  }

  /** What is to be done in this state; the same after a crash. */
  public Optional<QueueAct> nextAct() {
    return trial.map(its -> {
      if (its.merged().isEmpty()) {
        return new QueueAct.Merge(its.number());
      }
      return its.green() ? new QueueAct.Land(its.number()) : new QueueAct.Test(its.number());
    });
  }
}
