package dev.midcourse.agents;

/** Who listens to an agent. Called in order, by one thread at a time, never concurrently. */
@FunctionalInterface
public interface AgentListener {
  void onEvents(AgentEventBatch batch);
}
