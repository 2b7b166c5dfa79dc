package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.id.RunId;
import java.util.Optional;

/** Makes links to the page of a run. */
@FunctionalInterface
public interface RunLinks {
  /**
   * A link that signs one browser in, works once and for a short time, and opens the run. Empty if
   * the hub has no page that a browser can reach.
   */
  Optional<String> oneTimeLink(RunId run);
}
