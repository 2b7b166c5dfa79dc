package dev.midcourse.core.loop.queue;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.step.LoopFact;
import java.util.List;

/**
 * What a fact changes.
 *
 * @param acts what is to be done now, in this order
 * @param outcomes what loops learn that have left the queue, to be stored together with it
 * @param news what happened, for the logs of the loops
 */
public record QueueChange(
    MergeQueue next, List<QueueAct> acts, List<Outcome> outcomes, List<News> news) {

  /** How it ended for one loop. */
  public record Outcome(LoopId loop, LoopFact fact) {}

  /** One sentence for one loop. */
  public record News(LoopId loop, String text) {}

  public QueueChange {
    acts = List.copyOf(acts);
    outcomes = List.copyOf(outcomes);
    news = List.copyOf(news);
  }
}
