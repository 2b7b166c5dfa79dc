package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Lane;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copilot called once for each turn, for versions without the headless mode. */
@Tag("agents")
class CopilotOnceTest extends AgentStage {
  private static final String PROMPT = "Please write the file.";
  private static final String STEER = "Use tabs in it.";

  @Override
  AgentName name() {
    return AgentName.of("copilot-once");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return CopilotHome.create(installed, folder, its);
  }

  @Override
  String ordinaryTool() {
    return "edit";
  }

  /** Returns the settings of the documentation page. */
  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings
        .withDriver("command")
        .withArguments(List.of("--allow-all", "--no-ask-user", "-p"));
  }

  /** Would fail when a steer is written to a running call, or left out of the next one. */
  @Test
  void a_steer_waits_for_the_call_to_end_and_is_in_the_next_once() throws Exception {
    HeldCommand held = held("tool");
    AgentFixture fixture = fixture(shell(held.command()), say("It is written."), say("With tabs."));
    Run run = fixture.run(PROMPT);
    held.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, STEER);
    assertThat(fixture.can(run).has(Capability.MID_TURN_STEER)).isFalse();
    assertThat(fixture.receipt(steer).rung()).isEqualTo(Rung.STORED);
    held.release();

    Run done = awaitDone(fixture, run);

    assertThat(done.result()).hasValueSatisfying(it -> assertThat(it).contains("With tabs."));
    var requests = lane().requests().all();
    assertThat(requests).as(lane().requests().toString()).hasSize(3);
    assertThat(requests.get(0).occurrences(STEER)).isZero();
    assertThat(requests.get(1).occurrences(STEER)).isZero();
    assertThat(requests.get(2).occurrences(STEER)).isEqualTo(1);
    assertThat(requests.get(2).occurrences(PROMPT)).isEqualTo(1);
    assertThat(fixture.receipt(steer).ended().orElseThrow())
        .isIn(SteerEnd.CARRIED, SteerEnd.ANSWERED);
  }
}
