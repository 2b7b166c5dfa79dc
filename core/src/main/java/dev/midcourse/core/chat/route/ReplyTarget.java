package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/** What a message replies to. */
public sealed interface ReplyTarget {
  /** The message is no reply, or a reply to a message of a person that belongs to no run. */
  record None() implements ReplyTarget {}

  /** The message replies to a message of ours that belongs to no known run. */
  record Unknown() implements ReplyTarget {}

  /** The message replies to a message that belongs to runs, one for each worker. */
  record OfRuns(List<RepliedRun> runs) implements ReplyTarget {
    public OfRuns {
      runs = List.copyOf(runs);
    }
  }

  /**
   * The message replies to a card about an autopilot loop.
   *
   * @param review whether the card asks for a review
   */
  record OfLoop(LoopId loop, WorkerName worker, boolean review) implements ReplyTarget {}

  /**
   * A run to which a message replies.
   *
   * @param live the run of the conversation that is queued or running: this one or a later one
   */
  record RepliedRun(RunId run, ConversationKey conversation, Optional<LiveRun> live) {
    /** Whether this run itself is queued or running. */
    public boolean isLive() {
      return live.filter(other -> other.run().equals(run)).isPresent();
    }
  }
}
