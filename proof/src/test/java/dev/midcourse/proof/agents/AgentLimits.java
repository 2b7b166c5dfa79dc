package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
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
    AgentFixture house = house(say("Done."));
    Run run = house.run(PROMPT);
    awaitDone(house, run);
    assertThat(offered()).contains(ordinaryTool());
    Capabilities can = house.can(run);
    house.close();

    AgentFixture blocking =
        house(settings().withBlockedTools(Set.of(ordinaryTool())), Script.of(say("Done.")));
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
    AgentFixture house =
        house(
            askingSettings(),
            Script.of(shell("echo a > allowed.txt"), shell("echo b > denied.txt"), say("Done.")));
    Run run = house.run(PROMPT);
    if (!asks()) {
      awaitDone(house, run);
      assertThat(house.can(run).has(Capability.ASKS_PERMISSION)).isFalse();
      proved(Operation.PERMISSION, "has no permission requests");
      return;
    }
    house.engine().runs().answer(run.id(), nextAsk(house, run), allow(), AgentFixture.PERSON);
    house
        .engine()
        .runs()
        .answer(
            run.id(),
            nextAsk(house, run),
            new Agent.QuestionAnswer.Deny("not that"),
            AgentFixture.PERSON);
    awaitDone(house, run);

    assertThat(offered()).filteredOn(usuallyBlocked()::contains).isEmpty();
    assertThat(house.can(run).has(Capability.ASKS_PERMISSION)).isTrue();
    assertThat(house.workspace().resolve("allowed.txt")).as(house.story(run)).hasContent("a");
    assertThat(house.workspace().resolve("denied.txt")).doesNotExist();
    proved(Operation.PERMISSION, "asked before a command; allow runs it, deny does not");
  }

  /** Seen to fail when AttemptLoop offers no steer while a question is open. */
  @Test
  void t11_t12_a_steer_while_it_waits_for_an_answer_reaches_the_model_and_is_no_answer()
      throws Exception {
    AgentFixture house =
        house(askingSettings(), Script.of(shell("echo a > allowed.txt"), say("Done.")));
    Run run = house.run(PROMPT);
    if (!asks()) {
      awaitDone(house, run);
      assertThat(house.can(run).has(Capability.ASKS_PERMISSION)).isFalse();
      return;
    }
    String ask = nextAsk(house, run);
    Capabilities can = house.can(run);
    SteerId steer = house.steer(run, SteerMode.STEER, "Yes, allow it, and use tabs.");
    Rung held = AgentTroubles.heldRung(can);
    assertThat(house.awaitRung(steer, held).settledAt(held)).as(house.story(run)).isTrue();
    assertThat(nextAsk(house, run)).isEqualTo(ask);
    assertThat(house.workspace().resolve("allowed.txt")).doesNotExist();
    house.engine().runs().answer(run.id(), ask, allow(), AgentFixture.PERSON);
    awaitDone(house, run);

    assertThat(house.workspace().resolve("allowed.txt")).hasContent("a");
    assertSeenOnce("Yes, allow it, and use tabs.");
    assertThat(house.receipt(steer).ended().orElseThrow())
        .as(house.story(run))
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

  private static Agent.QuestionAnswer allow() {
    return new Agent.QuestionAnswer.Allow();
  }

  private static String nextAsk(AgentFixture house, Run run) {
    Predicate<Run> asking =
        it -> house.engine().ledger().read(r -> r.asks(it.id())).stream().anyMatch(a -> a.open());
    await()
        .atMost(AgentFixture.TIMEOUT)
        .until(() -> asking.test(run) || !house.now(run).state().live());
    return house.engine().ledger().read(r -> r.asks(run.id())).stream()
        .filter(ask -> ask.open())
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing was asked\n" + house.story(run)))
        .id();
  }
}
