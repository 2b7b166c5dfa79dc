package dev.midcourse.agents;

import dev.midcourse.core.agent.AgentEvent;
import java.util.List;

/**
 * Events of an agent, and the checkpoint that is reached with them. The events and the checkpoint
 * are stored in one transaction, so that no event is lost or processed twice.
 *
 * @param awaited whether a client waits for these events, so that they must be stored without delay
 */
public record AgentEventBatch(List<AgentEvent> events, OutputCheckpoint upTo, boolean awaited) {
  public AgentEventBatch {
    events = List.copyOf(events);
  }

  /** A batch that may be stored together with later batches. */
  public AgentEventBatch(List<AgentEvent> events, OutputCheckpoint upTo) {
    this(events, upTo, false);
  }

  /**
   * The place up to which the agent's output has been processed.
   *
   * @param offset bytes of output, or the last sequence number where the agent has a log of its own
   * @param memo the state that the driver needs to process the rest, in a format of the driver
   */
  public record OutputCheckpoint(long offset, String memo) {
    public static final OutputCheckpoint START = new OutputCheckpoint(0, "");
  }
}
