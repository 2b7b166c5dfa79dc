package dev.midcourse.agents.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.RehearsalDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerInjected;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.id.SteerId;
import java.nio.file.Files;

/** What the next hub does with an agent in a sandbox, whichever: finds it, steers it, ends it. */
final class NextHub {
  private NextHub() {}

  static void findsSteersAndEnds(AttemptSpec spec, Hosting hosting) throws Exception {
    RecordingListener listener = new RecordingListener();
    Agent first = new RehearsalDriver(hosting.host()).start(spec, listener);
    listener.await(Started.class);
    first.prompt(1, "Work:\n$ sleep 1\n$ while [ ! -e go ]; do sleep 0.1; done");
    listener.await(ToolStarted.class);
    first.detach();

    RecordingListener next = new RecordingListener();
    try (Hosting other = new Hosting()) {
      Agent found = new RehearsalDriver(other.host()).attach(spec, OutputCheckpoint.START, next);
      SteerId steer = Steers.id();
      found.steer(steer, Steers.framed(steer, "use tabs"));
      Files.createFile(spec.workspace().resolve("go"));
      assertThat(next.await(SteerInjected.class).steer()).isEqualTo(steer);
      assertThat(next.await(TurnEnded.class).text()).contains("use tabs");
      found.end(StopTimeouts.DEFAULT);
      next.await(Exited.class);
    }
    assertThat(hosting.alive(spec)).isEmpty();
  }
}
