package dev.midcourse.proof.terminal;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.proof.agents.AgentHome;
import dev.midcourse.proof.agents.AgentPrograms;
import dev.midcourse.proof.agents.BuildFolder;
import dev.midcourse.proof.agents.ClaudeHome;
import dev.midcourse.proof.agents.CodexHome;
import dev.midcourse.proof.agents.CopilotHome;
import dev.midcourse.proof.agents.GeminiHome;
import dev.midcourse.proof.agents.HeldCommand;
import dev.midcourse.proof.agents.OpenCodeHome;
import dev.midcourse.proof.agents.PiHome;
import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.RecordedRequest;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * One terminal runs a real agent, and another terminal steers it during a command. Both screens,
 * the record of the model and the receipt must agree.
 */
@Tag("agents")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SteeredAgentsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final String STEER = "Use tabs, not spaces.";
  private static final String LAST_WORDS = "Tabs it is.";
  private static final List<String> RUNGS =
      List.of("stored", "offered", "accepted", "injected", "answered");

  /** The delivery of a steer that arrives while a command of the agent runs. */
  enum Way {
    /** The agent says that it has it, and shows it to the model after the command. */
    ACCEPTED(0, 2, "answered"),
    /** The agent says that it has it, and then nothing more: no rung is claimed that it leaves. */
    NEVER_SHOWN(22, 2, "unknown"),
    /**
     * The agent takes no steer in a turn: the steer waits in the ledger, and its author sees that.
     */
    WAITS(0, 3, "carried"),
    /** The agent puts the command into the background and shows it to the model at once. */
    INJECTED(0, 2, "answered");

    private final int exitCode;
    private final int seenInRequest;
    private final String end;

    Way(int exitCode, int seenInRequest, String end) {
      this.exitCode = exitCode;
      this.seenInRequest = seenInRequest;
      this.end = end;
    }

    List<String> rungs() {
      return this == NEVER_SHOWN ? RUNGS.subList(0, RUNGS.indexOf("injected")) : RUNGS;
    }
  }

  /** Creates the home of an agent. */
  interface Homes {
    AgentHome create(AgentPrograms programs, Path folder, Lane lane);
  }

  /** An agent, its settings, and the delivery of a steer while its command runs. */
  record Steered(String agent, Homes homes, List<String> settings, Way way) {
    @Override
    public String toString() {
      return agent;
    }
  }

  private static List<Steered> agents() {
    return List.of(
        new Steered("claude", ClaudeHome::create, List.of(), Way.ACCEPTED),
        new Steered(
            "claude-agent-acp",
            ClaudeHome::createForAcp,
            List.of("driver = \"acp\""),
            Way.NEVER_SHOWN),
        new Steered("codex", CodexHome::create, List.of(), Way.ACCEPTED),
        new Steered("opencode", OpenCodeHome::create, List.of(), Way.ACCEPTED),
        new Steered(
            "pi",
            PiHome::create,
            List.of(AgentHome.arguments(PiHome.modelArguments())),
            Way.ACCEPTED),
        new Steered("copilot", CopilotHome::create, List.of(), Way.INJECTED),
        new Steered(
            "gemini",
            GeminiHome::create,
            List.of(AgentHome.arguments(GeminiHome.modelArguments())),
            Way.WAITS));
  }

  private final ScriptedModel model = ScriptedModel.start();
  private final Map<String, Lane> lanes = new HashMap<>();
  private @Nullable TerminalFixture terminal;
  private Path work = Path.of("");

  @BeforeAll
  void the_agents_are_in_the_settings(
      @TempDir Path home, @TempDir(factory = BuildFolder.class) Path built) throws Exception {
    assumeTrue(Pane.possible(), "tmux is missing");
    AgentPrograms programs =
        AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
    StringBuilder settings = new StringBuilder();
    for (Steered its : agents()) {
      Lane lane = model.lane(its.agent(), Script.of());
      AgentHome agent =
          its.homes().create(programs, Files.createDirectories(built.resolve(its.agent())), lane);
      lanes.put(its.agent(), lane);
      settings.append(agent.settings(its.agent(), its.settings()));
    }
    work = built.resolve("work");
    terminal = TerminalFixture.open(home, work, settings.toString());
  }

  @AfterAll
  void end_everything() throws Exception {
    try (model) {
      if (terminal != null) {
        terminal.close();
      }
    }
  }

  /** Would fail when a rung is claimed too early, or shown on one of the two screens only. */
  @ParameterizedTest
  @MethodSource("agents")
  void a_steer_from_a_second_terminal_climbs_on_both_and_is_in_the_conversation_once(Steered its)
      throws Exception {
    Lane lane = Objects.requireNonNull(lanes.get(its.agent()));
    HeldCommand command = new HeldCommand(work, its.agent());
    lane.play(Script.of(shell(command.command()).saying("I begin.")).atTheEnd(say(LAST_WORDS)));

    Pane first = terminals().terminal(100, 30, run(its.agent()));
    command.awaitStarted(TIMEOUT);
    Pane second = terminals().terminal(100, 30, steer(its.agent()));
    whileTheCommandRuns(its.way(), first, second, lane);
    command.release();

    second.awaits("left with " + its.way().exitCode);
    first.awaits("left with 0");
    List<String> untilInjected = its.way().rungs().stream().limit(4).toList();
    assertThat(second.all()).containsSubsequence(untilInjected);
    assertThat(first.all())
        .containsSubsequence("turn 1", "I begin.", "stored: " + STEER, "offered ·")
        .containsSubsequence(its.way().rungs())
        .containsSubsequence(LAST_WORDS, "done after");
    if (its.way() == Way.NEVER_SHOWN) {
      assertThat(second.all()).contains("unknown ").doesNotContain("injected  ");
      assertThat(first.all()).contains("ended: unknown").doesNotContain("injected ·");
    }

    assertThat(lane.requests().firstContaining(STEER))
        .as(lane.requests().toString())
        .hasValue(its.way().seenInRequest);
    for (RecordedRequest request : lane.requests().all()) {
      assertThat(request.occurrences(STEER)).isLessThanOrEqualTo(1);
    }
    assertThat(terminals().type("midcourse show " + its.agent()))
        .containsSubsequence("state ", "done", "agent ", its.agent(), "steers ", "1", LAST_WORDS);
    JsonNode receipt =
        terminals()
            .json("midcourse receipt --json $(midcourse steers -q %s)".formatted(its.agent()));
    assertThat(receipt.path("rungs").findValuesAsString("rung"))
        .containsExactlyElementsOf(its.way().rungs());
    assertThat(receipt.path("ended").asString()).isEqualTo(its.way().end);
  }

  /** No screen may show a rung that nothing proves yet. */
  private static void whileTheCommandRuns(Way way, Pane first, Pane second, Lane lane)
      throws Exception {
    switch (way) {
      case ACCEPTED, NEVER_SHOWN -> {
        first.awaits("accepted ·");
        second.awaits("accepted  ");
        assertThat(second.all()).doesNotContain("injected  ");
        assertThat(first.all()).doesNotContain("injected ·");
        assertThat(lane.requests().count()).isEqualTo(1);
      }
      case WAITS -> {
        first.awaits("stored: " + STEER);
        second.awaits("pending  ");
        assertThat(second.all() + first.all()).doesNotContain("offered");
        assertThat(lane.requests().count()).isEqualTo(1);
      }
      case INJECTED -> {
        lane.awaitContaining(STEER, TIMEOUT);
        first.awaits("injected ·");
        second.awaits("left with 0");
      }
    }
  }

  private static String run(String agent) {
    return "midcourse run --agent %1$s --worker %1$s --id %1$s 'Please do the work.'"
        .formatted(agent);
  }

  private static String steer(String run) {
    return "midcourse steer %s '%s' --wait injected".formatted(run, STEER);
  }

  private TerminalFixture terminals() {
    return Objects.requireNonNull(terminal);
  }
}
