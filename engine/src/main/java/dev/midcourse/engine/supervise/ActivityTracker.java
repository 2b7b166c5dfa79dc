package dev.midcourse.engine.supervise;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.watch.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** When one agent last worked, and which tools it uses now. */
final class ActivityTracker {
  private final Map<String, StallPolicy.Tool> tools = new LinkedHashMap<>();
  private Instant last;

  ActivityTracker(Instant since) {
    this.last = since;
  }

  void record(AgentEvent event, Instant now) {
    if (AgentEvent.signOfWork(event)) {
      last = now;
    }
  }

  void startTool(AgentEvent.ToolStarted tool, Instant now) {
    tools.put(tool.call(), new StallPolicy.Tool(tool.name(), now, tool.declaredTimeout()));
  }

  void finishTool(String call) {
    tools.remove(call);
  }

  void clearTools() {
    tools.clear();
  }

  void restart(Instant now) {
    last = now;
  }

  Instant lastActivity() {
    return last;
  }

  /** The tool in use that may take longest. */
  Optional<StallPolicy.Tool> longestTool() {
    return tools.values().stream()
        .max((one, other) ->
            one.declared().orElse(Duration.ZERO).compareTo(other.declared().orElse(Duration.ZERO)));
  }
}
