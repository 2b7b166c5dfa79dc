package dev.midcourse.engine.attempt;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.watch.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** When one agent last worked, and which tools it uses now. */
public final class ActivityTracker {
  private final Map<String, StallPolicy.Tool> tools = new LinkedHashMap<>();
  private Instant last;

  public ActivityTracker(Instant since) {
    this.last = since;
  }

  public void record(AgentEvent event, Instant now) {
    if (AgentEvent.signOfWork(event)) {
      last = now;
    }
  }

  public void startTool(AgentEvent.ToolStarted tool, Instant now) {
    tools.put(tool.call(), new StallPolicy.Tool(tool.name(), now, tool.declaredTimeout()));
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

  /** The tool in use that may take longest. */
  public Optional<StallPolicy.Tool> longestTool() {
    return tools.values().stream()
        .max((one, other) ->
            one.declared().orElse(Duration.ZERO).compareTo(other.declared().orElse(Duration.ZERO)));
  }
}
