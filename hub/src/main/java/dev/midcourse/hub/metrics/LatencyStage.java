package dev.midcourse.hub.metrics;

import dev.midcourse.core.WireNames;

/** One stretch of the way of a steer, or of a stop. */
public enum LatencyStage {
  /** From the request to the commit that makes the steer durable. */
  REQUEST_TO_DURABLE,
  /** From there to the write into the agent's input. */
  DURABLE_TO_WRITTEN,
  /** From there to the agent's word that it holds it. */
  WRITTEN_TO_ACCEPTED,
  /** From there to its place in the conversation: the agent's own pace. */
  ACCEPTED_TO_INJECTED,
  /** From the wish to stop a run to the end of its last process. */
  STOP_TO_ENDED;

  public String wire() {
    return WireNames.name(this);
  }
}
