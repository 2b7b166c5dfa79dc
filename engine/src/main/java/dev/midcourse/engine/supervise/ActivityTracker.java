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

  void saw(AgentEvent event, Instant now) {
    if (AgentEvent.signOfWork(event)) {
      last = now;
    }
  }

  void begin(AgentEvent.ToolStarted tool, Instant now) {
    tools.put(tool.call(), new StallPolicy.Tool(tool.name(), now, tool.declaredTimeout()));
  }

  void finish(String call) {
    tools.remove(call);
  }

  void settled() {
    tools.clear();
  }

  void restart(Instant now) {
    last = now;
  }

  Instant last() {
    return last;
  }

  /** The tool in use that may take longest. */
  Optional<StallPolicy.Tool> tool() {
    return tools.values().stream()
        .max((one, other) ->
            one.declared().orElse(Duration.ZERO).compareTo(other.declared().orElse(Duration.ZERO)));
  }
}
