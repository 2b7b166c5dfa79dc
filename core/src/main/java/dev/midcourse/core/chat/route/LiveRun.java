package dev.midcourse.core.chat.route;

import dev.midcourse.core.id.RunId;
import java.util.Optional;

/**
 * The run of a conversation that is queued or running.
 *
 * @param thread the thread in which its answers go
 * @param waiting the number of messages that wait until the agent can take them, with those that
 *     the wiring collects
 * @param idle the agent has no turn and waits for the next message
 */
public record LiveRun(RunId run, Optional<String> thread, int waiting, boolean idle) {

  /** Whether the next message opens a turn at once. */
  boolean takesNow() {
    return idle && waiting == 0;
  }
}
