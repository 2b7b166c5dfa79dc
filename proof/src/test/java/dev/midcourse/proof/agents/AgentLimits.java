package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.AskAnswer;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.wire.OfferedTool;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The limits of an agent, and its permission requests. */
abstract class AgentLimits extends AgentStage {
  private static final String PROMPT = "Please do the work.";

  @Test
  void a_blocked_tool_is_not_offered_to_the_model() throws Exception {
    AgentFixture fixture = fixture(say("Done."));
    Run run = fixture.run(PROMPT);
    awaitDone(fixture, run);
    assertThat(offered()).contains(ordinaryTool());
    Capabilities can = fixture.can(run);
    fixture.close();

    AgentFixture blocking =
        fixture(settings().withBlockedTools(Set.of(ordinaryTool())), Script.of(say("Done.")));
    Run again = blocking.run("Once more.");
    if (!can.has(Capability.BLOCKS_TOOLS) && blocking.awaitEnd(again).state() == RunState.FAILED) {
      assertThat(lane().requests().firstContaining("Once more.")).isEmpty();
      proved(Operation.BLOCKED_TOOL, "does not start with blocked tools");
      return;
    }
    awaitDone(blocking, again);
    assertThat(offered()).isNotEmpty();
    if (can.has(Capability.BLOCKS_TOOLS)) {
      assertThat(offered()).doesNotContain(ordinaryTool());
      proved(Operation.BLOCKED_TOOL, "not offered to the model");
    } else {
      assertThat(offered()).contains(ordinaryTool());
      proved(Operation.BLOCKED_TOOL, "not supported");
    }
  }

  private List<String> offered() {
    return lane().requests().last().request().tools().stream().map(OfferedTool::name).toList();
  }

  /** Seen to fail when the agent's question is answered automatically. */
  @Test
  void t11_what_it_may_not_do_by_itself_is_asked_and_the_answer_holds() throws Exception {
    AgentFixture fixture =
        fixture(
            askingSettings(),
            Script.of(shell("echo a > allowed.txt"), shell("echo b > denied.txt"), say("Done.")));
    Run run = fixture.run(PROMPT);
    if (!asks()) {
      awaitDone(fixture, run);
      assertThat(fixture.can(run).has(Capability.ASKS_PERMISSION)).isFalse();
      proved(Operation.PERMISSION, "has no permission requests");
      return;
    }
    fixture.engine().runs().answer(run.id(), nextAsk(fixture, run), allow(), AgentFixture.PERSON);
    fixture
        .engine()
        .runs()
        .answer(
            run.id(), nextAsk(fixture, run), new AskAnswer.Deny("not that"), AgentFixture.PERSON);
    awaitDone(fixture, run);

    assertThat(offered()).filteredOn(usuallyBlocked()::contains).isEmpty();
    assertThat(fixture.can(run).has(Capability.ASKS_PERMISSION)).isTrue();
    assertThat(fixture.workspace().resolve("allowed.txt")).as(fixture.story(run)).hasContent("a");
    assertThat(fixture.workspace().resolve("denied.txt")).doesNotExist();
    proved(Operation.PERMISSION, "asked before a command; allow runs it, deny does not");
  }

  /** Seen to fail when AttemptLoop offers no steer while a question is open. */
  @Test
  void t11_t12_a_steer_while_it_waits_for_an_answer_reaches_the_model_and_is_no_answer()
      throws Exception {
    AgentFixture fixture =
        fixture(askingSettings(), Script.of(shell("echo a > allowed.txt"), say("Done.")));
    Run run = fixture.run(PROMPT);
    if (!asks()) {
      awaitDone(fixture, run);
      assertThat(fixture.can(run).has(Capability.ASKS_PERMISSION)).isFalse();
      return;
    }
    String ask = nextAsk(fixture, run);
    Capabilities can = fixture.can(run);
    SteerId steer = fixture.steer(run, SteerMode.STEER, "Yes, allow it, and use tabs.");
    Rung held = AgentTroubles.heldRung(can);
    assertThat(fixture.awaitRung(steer, held).settledAt(held)).as(fixture.story(run)).isTrue();
    assertThat(nextAsk(fixture, run)).isEqualTo(ask);
    assertThat(fixture.workspace().resolve("allowed.txt")).doesNotExist();
    fixture.engine().runs().answer(run.id(), ask, allow(), AgentFixture.PERSON);
    awaitDone(fixture, run);

    assertThat(fixture.workspace().resolve("allowed.txt")).hasContent("a");
    assertSeenOnce("Yes, allow it, and use tabs.");
    assertThat(fixture.receipt(steer).ended().orElseThrow())
        .as(fixture.story(run))
        .isIn(AgentTroubles.endOf(can), SteerEnd.CARRIED);
  }

  /** Returns settings with which the agent asks for permission, if it can. */
  AgentSettings askingSettings() {
    return settings().withPermissions(Permissions.ASK);
  }

  /** Returns whether this agent has permission requests. */
  boolean asks() {
    return true;
  }

  /** Returns the tools that the driver blocks by default. */
  abstract Set<String> usuallyBlocked();

  private static AskAnswer allow() {
    return new AskAnswer.Allow();
  }

  private static String nextAsk(AgentFixture fixture, Run run) {
    Predicate<Run> asking =
        it -> fixture.engine().ledger().read(r -> r.asks(it.id())).stream().anyMatch(a -> a.open());
    await()
        .atMost(AgentFixture.TIMEOUT)
        .until(() -> asking.test(run) || !fixture.now(run).state().live());
    return fixture.engine().ledger().read(r -> r.asks(run.id())).stream()
        .filter(ask -> ask.open())
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing was asked\n" + fixture.story(run)))
        .id();
  }
}
