package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.ReceiptRung;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.gateway.driver.ModelAddress;
import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.RequestClass;
import dev.midcourse.gateway.record.RequestRecord;
import dev.midcourse.proof.model.Gate;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.Step;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs a real agent behind the gateway. */
@Tag("agents")
abstract class GatewaySuite extends AgentStage {
  private static final String PROMPT = "Please do the work.";

  /** Returns how the agent is told the address of its model. */
  abstract ModelAddress model(AgentSettings settings);

  private AgentFixture behindGateway(Step... steps) throws IOException {
    AgentSettings settings = settings();
    lane().play(Script.of(steps));
    AgentFixture fixture = AgentFixture.behindGateway(folder(), name(), settings, model(settings));
    adopt(fixture);
    return fixture;
  }

  @Test
  void a_steer_is_seen_in_a_request_of_the_main_conversation() throws Exception {
    HeldCommand tool = held("tool");
    AgentFixture fixture = behindGateway(Step.shell(tool.command()), Step.say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs, née “é” 😀.");
    fixture.awaitRung(steer, Rung.OFFERED);
    tool.release();
    Run ended = fixture.awaitEnd(run);
    assertThat(ended.state()).as(fixture.story(run)).isEqualTo(RunState.DONE);

    RequestRecord first =
        fixture.requests(run).stream().filter(it -> contains(it, steer)).findFirst().orElseThrow();
    assertThat(first.kind()).isEqualTo(RequestClass.MAIN);
    assertThat(first.main()).hasValue(2);
    assertThat(rung(fixture.receipt(steer), Rung.SEEN).map(ReceiptRung::evidence))
        .as(fixture.story(run) + fixture.requests(run))
        .hasValue(first.evidence());
    assertThat(first.evidence()).contains("(main 2)").contains(", 200");
  }

  /** The agent repeats the request, and only the repeated one proves the steer. */
  @Test
  void a_gateway_that_is_killed_in_a_request_costs_no_steer() throws Exception {
    HeldCommand tool = held("tool");
    Gate answer = new Gate("the answer");
    AgentFixture fixture =
        behindGateway(
            Step.shell(tool.command()), Step.say("Cut off.").heldBy(answer), Step.say("Done."));
    Run run = fixture.run(PROMPT);
    tool.awaitStarted(AgentFixture.TIMEOUT);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Use tabs.");
    fixture.awaitRung(steer, Rung.OFFERED);
    tool.release();
    answer.awaitReached(AgentFixture.TIMEOUT);
    assertThat(rung(fixture.receipt(steer), Rung.SEEN)).isEmpty();
    long pid = fixture.gateway().pid();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    await().atMost(AgentFixture.TIMEOUT).until(() -> fixture.gateway().pid() != pid);
    answer.open();
    Run ended = fixture.awaitEnd(run);
    assertThat(ended.state()).as(fixture.story(run)).isEqualTo(RunState.DONE);

    assertThat(rung(fixture.receipt(steer), Rung.SEEN))
        .as(fixture.story(run) + fixture.requests(run))
        .isPresent();
    List<RequestRecord> requests = fixture.requests(run);
    assertThat(requests).extracting(RequestRecord::number).doesNotHaveDuplicates();
  }

  private static boolean contains(RequestRecord request, SteerId steer) {
    return request.steers().stream().map(PresentSteer::steer).anyMatch(steer::equals);
  }

  private static Optional<ReceiptRung> rung(Receipt receipt, Rung rung) {
    return receipt.rungs().stream().filter(it -> it.rung() == rung).findFirst();
  }
}
