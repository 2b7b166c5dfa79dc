package dev.midcourse.core.loop.step;

import dev.midcourse.core.loop.Loop;
import java.util.List;

/**
 * What a fact changes.
 *
 * @param acts what is to be done now, in this order
 * @param news what happened, in sentences for the log
 */
public record LoopChange(Loop next, List<LoopAct> acts, List<String> news) {
  public LoopChange {
    acts = List.copyOf(acts);
    news = List.copyOf(news);
  }
}
