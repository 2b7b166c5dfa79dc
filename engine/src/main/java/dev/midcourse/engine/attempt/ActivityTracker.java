package dev.midcourse.engine.attempt;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.watch.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When one agent last worked, and which tools it uses now. */
public final class ActivityTracker {
  private final Map<String, StallPolicy.Tool> tools = new LinkedHashMap<>();
  private final boolean quietBefore;
  private Instant last;

  /**
   * @param since the beginning of the watch, which counts as activity
   * @param quietBefore whether an earlier supervisor found the agent quiet, and nothing ended that
   */
  public ActivityTracker(Instant since, boolean quietBefore) {
    this.last = since;
    this.quietBefore = quietBefore;
  }

  /** Whether the agent was quiet when the watch began. */
  public boolean wasQuietBefore() {
    return quietBefore;
  }

  public void record(AgentEvent event, Instant now) {
    if (AgentEvent.isActivity(event)) {
      last = now;
    }
  }

  public void startTool(
      String call, String name, Optional<Duration> declaredTimeout, Instant since) {
    tools.put(call, new StallPolicy.Tool(name, since, declaredTimeout));
  }

  public void finishTool(String call) {
    tools.remove(call);
  }

  public void clearTools() {
    tools.clear();
  }

  public void restart(Instant now) {
    last = now;
  }

  public Instant lastActivity() {
    return last;
  }

  /** The tools in use. */
  public Collection<StallPolicy.Tool> runningTools() {
    return List.copyOf(tools.values());
  }
}
