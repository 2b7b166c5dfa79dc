package dev.midcourse.engine.supervise;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The signs of life of one agent: when it last worked, in which tools, what it is doing. */
final class ActivityTracker {
  private final Map<String, StallPolicy.Tool> tools = new LinkedHashMap<>();
  private Instant last;
  private long seq;

  ActivityTracker(Instant since, long seq) {
    this.last = since;
    this.seq = seq;
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

  Progress progress(String phase, String summary, Optional<String> tool, Instant now) {
    return new Progress(phase, Progress.line(summary), tool, ++seq, now);
  }
}
