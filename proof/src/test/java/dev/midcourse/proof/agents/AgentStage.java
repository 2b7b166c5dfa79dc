package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.RecordedRequest;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.ScriptedModel;
import dev.midcourse.proof.model.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The base of every agent test: the real program, a lane of a scripted model, and a fixture to run
 * it. A suite defines the agent and its home.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AgentStage {
  private final Map<Operation, String> proved = new EnumMap<>(Operation.class);
  private String version = "";

  private @Nullable AgentPrograms programs;
  private @Nullable ScriptedModel model;
  private @Nullable Lane lane;
  private @Nullable AgentFixture fixture;
  private @Nullable Path folder;

  /** Returns the name of the agent in the catalogue. */
  abstract AgentName name();

  /** Creates the agent's home, configured for the lane. */
  abstract AgentHome home(AgentPrograms installed, Path folder, Lane its);

  /** Returns a tool that the agent offers to the model by default. */
  abstract String ordinaryTool();

  /** Returns the settings with further values that the agent needs. */
  AgentSettings adjust(AgentSettings settings) {
    return settings;
  }

  @BeforeEach
  void setUp(@TempDir(factory = BuildFolder.class) Path fresh) {
    programs = AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
    folder = fresh;
    model = ScriptedModel.start();
    lane = model.lane("agent", Script.of());
  }

  @AfterEach
  void tearDown() throws IOException {
    try {
      if (fixture != null) {
        fixture.close();
        fixture = null;
      }
    } finally {
      if (model != null) {
        model.close();
        model = null;
      }
    }
  }

  @AfterAll
  void settleTheTable() throws IOException {
    if (!proved.isEmpty()) {
      new AgentTable(name().value(), version).settle(proved);
    }
  }

  void proved(Operation operation, String what) {
    proved.put(operation, what);
  }

  static <T> T there(@Nullable T thing) {
    if (thing == null) {
      throw new IllegalStateException("not set up");
    }
    return thing;
  }

  Lane lane() {
    return there(lane);
  }

  Path folder() {
    return there(folder);
  }

  HeldCommand held(String name) {
    return new HeldCommand(AgentFixture.workspace(folder()), name);
  }

  /** Returns the settings of a worker with its own home and no permission requests. */
  AgentSettings settings() {
    AgentHome home = home(there(programs), AgentFixture.home(folder()), lane());
    return adjust(
        AgentSettings.defaults()
            .withCommand(home.program().toString())
            .withEnvironment(home.environment())
            .withHome(Home.OWN)
            .withPermissions(Permissions.BYPASS));
  }

  AgentFixture fixture(Step... steps) throws IOException {
    return fixture(settings(), Script.of(steps));
  }

  AgentFixture fixture(AgentSettings settings, Script script) throws IOException {
    lane().play(script);
    fixture = AgentFixture.open(folder(), name(), settings);
    return fixture;
  }

  /** The same with the agent in bubblewrap, as strict as a worker can have it with a network. */
  AgentFixture houseInBwrap(Step... steps) throws IOException {
    lane().play(Script.of(steps));
    SandboxSpec sandbox = new SandboxSpec(new Sandbox.Bubblewrap(true, List.of(), List.of()));
    fixture = AgentFixture.open(folder(), name(), settings(), sandbox);
    return fixture;
  }

  /** Registers a fixture that a test opened, so that it is closed with the others. */
  void adopt(AgentFixture opened) {
    fixture = opened;
  }

  Run awaitDone(AgentFixture in, Run run) throws InterruptedException {
    Run ended = in.awaitEnd(run);
    assertThat(ended.state()).as(in.story(run)).isEqualTo(RunState.DONE);
    version = in.attempt(run).version().orElseThrow();
    return ended;
  }

  /**
   * Checks that the text is exactly once in the last model request, and at most once in the earlier
   * ones.
   */
  void assertSeenOnce(String words) {
    for (RecordedRequest request : lane().requests().all()) {
      assertThat(request.occurrences(words))
          .as("'%s' in request %d of %s", words, request.number(), lane().requests())
          .isLessThanOrEqualTo(1);
    }
    assertThat(lane().requests().last().occurrences(words))
        .as("'%s' in the last of %s", words, lane().requests())
        .isEqualTo(1);
  }

  /** Checks that a rung is claimed exactly if the agent gives evidence for it. */
  static void assertHonest(Receipt receipt, Rung rung, boolean evidence) {
    boolean claimed = receipt.rungs().stream().anyMatch(claim -> claim.rung() == rung);
    assertThat(claimed).as("%s of %s", rung, receipt).isEqualTo(evidence);
  }
}
