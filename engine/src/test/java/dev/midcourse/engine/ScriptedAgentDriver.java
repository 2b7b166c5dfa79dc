package dev.midcourse.engine;

import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.watch.StallPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine whose one agent says what the test has it say. */
public abstract class ScriptedAgentDriver {
  protected ScriptedAgent puppet;
  protected ManualClock clock;
  protected EngineFixture fixture;

  @BeforeEach
  protected void open(@TempDir Path folder) {
    puppet = new ScriptedAgent();
    clock = new ManualClock();
    fixture = new EngineFixture(folder, puppet, clock, StallPolicy.DEFAULT);
  }

  @AfterEach
  protected void close() {
    fixture.close();
  }

  /** A steer that the agent has shown in its conversation. */
  protected Receipt injected(Run run, String text) {
    Receipt receipt = fixture.steer(run, text);
    puppet.awaitMessage("steer " + receipt.steerId());
    puppet.says(new AgentEvent.SteerInjected(receipt.steerId(), "echo"));
    return fixture.awaitRung(receipt.steerId(), Rung.INJECTED);
  }

  protected Run running(String prompt) {
    return puppet.running(fixture, prompt);
  }
}
