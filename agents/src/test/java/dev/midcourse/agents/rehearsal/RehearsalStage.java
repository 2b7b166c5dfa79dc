package dev.midcourse.agents.rehearsal;

import static dev.midcourse.agents.Steers.framed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent.SteerAccepted;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.Used;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts rehearsal agents for the tests, and ends every one of them after each test. */
abstract class RehearsalStage {
  static final StopTimeouts GRACE = StopTimeouts.DEFAULT;

  @TempDir Path folder = Path.of("");

  private final List<Agent> agents = new ArrayList<>();
  private @Nullable Attempts attempts;

  abstract Driver driver();

  abstract void closeDriver();

  @AfterEach
  void end_every_agent() {
    agents.forEach(agent -> agent.end(GRACE));
    closeDriver();
  }

  final Agent start(RecordingListener listener, Optional<SessionId> resume) {
    return start(order(resume, Map.of()), listener);
  }

  final Agent start(AttemptSpec spec, RecordingListener listener) {
    Agent agent = driver().start(spec, listener);
    agents.add(agent);
    return agent;
  }

  final AttemptSpec order(Optional<SessionId> resume, Map<String, String> environment) {
    if (attempts == null) {
      attempts = new Attempts(folder);
    }
    return attempts.next(resume, environment);
  }

  /** Steers and waits until the agent says that it has it. */
  static SteerId steerIn(Agent agent, RecordingListener listener, String text) {
    SteerId id = Steers.id();
    assertThat(agent.steer(id, framed(id, text))).isEqualTo(WriteResult.WRITTEN);
    listener.await(SteerAccepted.class, it -> it.steer().equals(id));
    return id;
  }

  static List<String> commands(RecordingListener listener) {
    return listener.all(ToolStarted.class).stream().map(ToolStarted::summary).toList();
  }

  static Usage total(RecordingListener listener) {
    return listener.all(Used.class).stream().map(Used::more).reduce(Usage.NOTHING, Usage::plus);
  }
}
