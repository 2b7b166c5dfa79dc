package dev.midcourse.agents;

import dev.midcourse.core.agent.AgentEvent;
import java.util.List;

/**
 * A piece of what an agent said, in our words, and the place up to which this makes it complete.
 * Whoever stores the events stores the place with them, so that nothing is heard twice or missed.
 *
 * @param awaited whether somebody waits for just this, so that it had better not wait for more
 */
public record AgentEventBatch(List<AgentEvent> events, OutputCheckpoint upTo, boolean awaited) {
  public AgentEventBatch {
    events = List.copyOf(events);
  }

  /** What may be kept together with what comes after it. */
  public AgentEventBatch(List<AgentEvent> events, OutputCheckpoint upTo) {
    this(events, upTo, false);
  }

  /**
   * How far the agent's output has been understood.
   *
   * @param offset bytes of output, or the last sequence number where the agent has a log of its own
   * @param memo what the driver must remember to understand the rest, in its own words
   */
  public record OutputCheckpoint(long offset, String memo) {
    public static final OutputCheckpoint START = new OutputCheckpoint(0, "");
  }
}
