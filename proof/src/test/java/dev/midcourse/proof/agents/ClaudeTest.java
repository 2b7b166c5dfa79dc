package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.claude.ClaudeDialect;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.Step;
import dev.midcourse.proof.model.ToolCall;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Claude Code, in its print mode with stream-json both ways. */
class ClaudeTest extends AgentSuite {

  @Override
  AgentName name() {
    return AgentName.of("claude");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return ClaudeHome.create(installed, folder, its).with(Map.of("CLAUDE_CODE_MAX_RETRIES", "1"));
  }

  @Override
  String ordinaryTool() {
    return "Edit";
  }

  @Override
  Set<String> usuallyBlocked() {
    return ClaudeDialect.BLOCKED;
  }

  @Test
  void a_run_does_not_end_while_a_command_runs_in_the_background() throws Exception {
    HeldCommand inBackground = held("background");
    ObjectNode arguments =
        new JsonMapper()
            .createObjectNode()
            .put("command", inBackground.command())
            .put("run_in_background", true);
    Gate told = new Gate("the end of the command");
    AgentHouse house =
        house(
            Step.call(new ToolCall.Named("Bash", arguments)),
            Step.say("It runs."),
            Step.say("It has ended.").heldBy(told));
    Run run = house.run("Please do the work.");
    inBackground.awaitStarted(AgentHouse.PATIENCE);
    await()
        .atMost(AgentHouse.PATIENCE)
        .until(() -> house.kinds(run).contains("waiting") || !house.now(run).state().live());
    assertThat(house.now(run).state()).as(house.story(run)).isEqualTo(RunState.RUNNING);
    inBackground.release();
    told.awaitReached(AgentHouse.PATIENCE);
    SteerId steer = house.steer(run, Mode.STEER, "Use tabs.");
    house.awaitRung(steer, Rung.ACCEPTED);
    told.open();
    awaitDone(house, run);

    assertSeenOnce("Use tabs.");
    assertThat(house.receipt(steer).ended()).as(house.story(run)).isPresent();
  }
}
