package dev.midcourse.agents.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.core.agent.AgentEvent.Exited;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InProcessRehearsalTest extends RehearsalSuite {
  private final InProcessRehearsal driver = new InProcessRehearsal();

  @Override
  Driver driver() {
    return driver;
  }

  @Override
  void closeDriver() {
    driver.close();
  }

  @Test
  void it_dies_with_its_hub() {
    RecordingListener listener = new RecordingListener();
    driver.attach(
        order(Optional.empty(), Map.of()), AgentEventBatch.OutputCheckpoint.START, listener);
    assertThat(listener.await(Exited.class).code()).isEqualTo(-1);
  }
}
