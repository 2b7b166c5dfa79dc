package dev.midcourse.hub.loop;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.MergeTrial;
import dev.midcourse.core.loop.queue.QueueEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The results about merge queues. */
public final class QueueViews {
  private QueueViews() {}

  public record Queues(List<QueueView> queues) {}

  /**
   * The loops that wait to land on one branch.
   *
   * @param waiting how many loops wait, also those that the caller may not see
   * @param loops the loops that the caller may see, the next one first
   * @param test what is tested now
   */
  public record QueueView(
      String repo, String base, int waiting, List<WaitingLoop> loops, Optional<MergeTest> test) {

    static QueueView of(MergeQueue queue, Predicate<LoopId> isVisible) {
      List<WaitingLoop> loops = new ArrayList<>();
      for (int i = 0; i < queue.entries().size(); i++) {
        QueueEntry entry = queue.entries().get(i);
        if (isVisible.test(entry.loop())) {
          loops.add(
              new WaitingLoop(
                  i + 1,
                  entry.loop(),
                  entry.branch().value(),
                  entry.head(),
                  entry.since(),
                  isMember(queue, entry.loop())));
        }
      }
      return new QueueView(
          queue.key().repository(),
          queue.key().base().value(),
          queue.entries().size(),
          loops,
          queue.trial().map(MergeTest::of));
    }
  }

  private static boolean isMember(MergeQueue queue, LoopId loop) {
    return queue.trial().filter(it -> it.members().contains(loop)).isPresent();
  }

  /**
   * A loop that waits.
   *
   * @param number its place, from 1
   * @param tested whether it belongs to the merge that is tested now
   */
  public record WaitingLoop(
      int number, LoopId loopId, String branch, String head, Instant since, boolean tested) {}

  /**
   * The merge that is tested now.
   *
   * @param loops how many loops it has
   * @param commit the merge; absent before it is made
   * @param runId the run of its CI
   */
  public record MergeTest(int loops, Optional<String> commit, RunId runId) {
    static MergeTest of(MergeTrial trial) {
      return new MergeTest(trial.members().size(), trial.merged(), trial.run());
    }
  }

  /**
   * The place of one loop in its queue.
   *
   * @param number from 1
   * @param waiting how many loops wait
   * @param test the test that it belongs to
   */
  public record QueuePlace(int number, int waiting, Optional<MergeTest> test) {
    static Optional<QueuePlace> of(MergeQueue queue, LoopId loop) {
      return queue
          .entry(loop)
          .map(entry ->
              new QueuePlace(
                  queue.entries().indexOf(entry) + 1,
                  queue.entries().size(),
                  queue.trial().filter(_ -> isMember(queue, loop)).map(MergeTest::of)));
    }
  }
}
