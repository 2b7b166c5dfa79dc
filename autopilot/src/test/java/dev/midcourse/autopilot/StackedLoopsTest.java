package dev.midcourse.autopilot;

import static dev.midcourse.autopilot.AutopilotFixture.ANNA;
import static dev.midcourse.autopilot.AutopilotFixture.commits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.LoopForge;
import dev.midcourse.core.loop.forge.RemoteReview;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.engine.context.EngineSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A loop on the branch of another loop's change: real agents, a real ledger, real pushes. */
class StackedLoopsTest {
  private AutopilotFixture fixture;
  private ScriptedForge lower;
  private ScriptedForge upper;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    fixture = new AutopilotFixture(folder);
    Path bare = fixture.folder.resolve("acme/shop.git");
    fixture.git("init -q --bare -b main " + bare);
    fixture.git("remote add origin " + bare);
    fixture.git("push -q origin main");
    lower = new ScriptedForge(bare, "7");
    upper = new ScriptedForge(bare, "8");
    ForgeSettings settings =
        new ForgeSettings(
            "github",
            ForgeKind.GITHUB,
            URI.create("http://127.0.0.1:9"),
            _ ->
                () -> {
                  throw new IllegalStateException("no secret for a folder");
                },
            "forge.test",
            Optional.empty(),
            Duration.ofMillis(200),
            Duration.ofMillis(200));
    TwoChanges forge = new TwoChanges(lower, "lower", upper);
    fixture.forges = new ForgeRegistry(List.of(settings), (_, _, _) -> forge);
    fixture.restartHub();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Loop create(
      String branch, String base, String reviewer, boolean land, Optional<LoopId> on) {
    ForgeOrder order =
        new ForgeOrder(
            "github",
            "acme/shop",
            lower.repository.toString(),
            false,
            false,
            Optional.empty(),
            false,
            List.of(),
            on,
            Duration.ofMillis(200),
            Duration.ofMillis(200));
    return fixture.loops.create(
        new LoopOrder(
            commits(branch + ".txt", "right"),
            fixture.repository,
            Optional.of(BranchName.of(base)),
            Optional.of(BranchName.of(branch)),
            EngineSettings.ANY_WORKER,
            AgentName.of("rehearsal"),
            LoopReviewer.parse(reviewer),
            Optional.empty(),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT,
            LoopBudget.DEFAULT,
            land,
            Optional.of(order)),
        ANNA);
  }

  private Loop createAbove(Loop below) {
    Loop above = create("upper", "lower", "@anna", true, Optional.of(below.id()));
    fixture.awaitPhase(above, LoopPhase.CHECK);
    assertThat(upper.done(ForgeAct.Open.class)).extracting(ForgeAct.Open::base).contains("lower");
    return above;
  }

  private void awaitBase(Loop loop, String base) {
    await().until(() -> fixture.now(loop).forge().map(LoopForge::base).equals(Optional.of(base)));
  }

  @Test
  void a_loop_on_a_loop_gets_its_base_when_that_one_lands_and_then_lands_itself() {
    Loop below = create("lower", "main", "@anna", true, Optional.empty());
    fixture.awaitPhase(below, LoopPhase.CHECK);
    Loop above = createAbove(below);
    lower.review("anna", RemoteReview.State.APPROVED, lower.tip("lower"));
    fixture.awaitPhase(below, LoopPhase.DONE);
    awaitBase(above, "main");
    await().until(() -> upper.base().equals("main"));
    upper.review("anna", RemoteReview.State.APPROVED, upper.tip("upper"));
    fixture.awaitPhase(above, LoopPhase.DONE);
    assertThat(upper.tip("main")).isEqualTo(upper.tip("upper"));
    assertThat(upper.done(ForgeAct.Edit.class)).hasSize(1);
  }

  /** Seen to fail when a loop does not look at the change below it. */
  @Test
  void a_change_below_that_somebody_merges_while_no_hub_runs_retargets_the_loop_above() {
    Loop below = create("lower", "main", "none", false, Optional.empty());
    fixture.awaitPhase(below, LoopPhase.DONE);
    Loop above = createAbove(below);
    fixture.closeHub();
    lower.mergedBySomebody();
    fixture.open();
    awaitBase(above, "main");
    await().until(() -> upper.base().equals("main"));
    upper.review("anna", RemoteReview.State.APPROVED, upper.tip("upper"));
    fixture.awaitPhase(above, LoopPhase.DONE);
    assertThat(upper.tip("main")).isEqualTo(upper.tip("upper"));
  }

  /** Seen to fail when a base that the forge has moved is looked at before the change below. */
  @Test
  void a_forge_that_moves_the_upper_change_itself_after_a_merge_does_not_park_its_loop() {
    Loop below = create("lower", "main", "@anna", false, Optional.empty());
    fixture.awaitPhase(below, LoopPhase.CHECK);
    Loop above = createAbove(below);
    fixture.closeHub();
    lower.mergedBySomebody();
    upper.retargetedTo("main");
    fixture.open();
    awaitBase(above, "main");
    upper.review("anna", RemoteReview.State.APPROVED, upper.tip("upper"));
    fixture.awaitPhase(above, LoopPhase.DONE);
    assertThat(fixture.awaitPhase(below, LoopPhase.STOPPED).result())
        .contains("somebody merged the change");
  }

  @Test
  void a_change_below_that_is_still_open_leaves_the_base_of_the_loop_above() {
    Loop below = create("lower", "main", "none", false, Optional.empty());
    fixture.awaitPhase(below, LoopPhase.DONE);
    Loop above = createAbove(below);
    int before = lower.snapshots();
    await().until(() -> lower.snapshots() > before + 2);
    assertThat(fixture.now(above).forge().orElseThrow().base()).isEqualTo("lower");
    assertThat(fixture.now(above).phase()).isEqualTo(LoopPhase.CHECK);
    fixture.apply(above, new LoopCommand.Stop(ANNA));
  }
}
