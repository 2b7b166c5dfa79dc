package dev.midcourse.agents;

/** Receives the events of an agent. The calls come in order and never concurrently. */
@FunctionalInterface
public interface AgentListener {
  void onEvents(AgentEventBatch batch);
}
