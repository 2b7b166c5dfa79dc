package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.RecordedRequest.Outcome;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.ScriptedModel;
import dev.midcourse.proof.model.wire.Message;
import dev.midcourse.proof.model.wire.WireKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every agent, in its mode for one prompt, follows the script: it runs a command of the model,
 * sends the result only after the command has ended, and ends with the model's text.
 */
@Tag("agents")
class OneShotTest {
  private static final String PROMPT = "Please write the file.";
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @TempDir(factory = BuildFolder.class)
  Path home;

  @TempDir(factory = BuildFolder.class)
  Path workspace;

  private final ScriptedModel model = ScriptedModel.start();
  private final Lane lane = model.lane("agent", Script.of());
  private AgentPrograms programs = new AgentPrograms(Path.of(""));

  @BeforeEach
  void findPrograms() {
    programs = AgentPrograms.find().orElseGet(() -> abort(AgentPrograms.HOW_TO_INSTALL));
  }

  @AfterEach
  void close() {
    model.close();
  }

  @Test
  void claude_code_runs_the_models_command() throws Exception {
    var agent = ClaudeHome.create(programs, home, lane);
    runs(agent, ClaudeHome.oneShot(agent, PROMPT), WireKind.ANTHROPIC_MESSAGES);
  }

  @Test
  void codex_runs_the_models_command() throws Exception {
    var agent = CodexHome.create(programs, home, lane);
    runs(agent, CodexHome.oneShot(agent, PROMPT), WireKind.OPENAI_RESPONSES);
  }

  @Test
  void opencode_runs_the_models_command() throws Exception {
    var agent = OpenCodeHome.create(programs, home, lane);
    runs(agent, OpenCodeHome.oneShot(agent, PROMPT), WireKind.OPENAI_CHAT);
  }

  @Test
  void pi_runs_the_models_command() throws Exception {
    var agent = PiHome.create(programs, home, lane);
    runs(agent, PiHome.oneShot(agent, PROMPT), WireKind.ANTHROPIC_MESSAGES);
  }

  @Test
  void copilot_runs_the_models_command() throws Exception {
    var agent = CopilotHome.create(programs, home, lane);
    runs(agent, CopilotHome.oneShot(agent, PROMPT), WireKind.OPENAI_CHAT);
  }

  @Test
  void gemini_runs_the_models_command() throws Exception {
    var agent = GeminiHome.create(programs, home, lane);
    runs(agent, GeminiHome.oneShot(agent, PROMPT), WireKind.GEMINI);
  }

  private void runs(AgentHome agent, List<String> command, WireKind wire) throws Exception {
    var held = new HeldCommand(workspace, "tool");
    lane.play(
        Script.of(shell("echo hello > written.txt; " + held.command()), say("It is written.")));
    String output;
    try (var process = RunningAgent.oneShot(agent, workspace, command)) {
      held.awaitStarted(TIMEOUT);
      assertThat(held.isAlive()).isTrue();
      assertThat(lane.requests().count()).isEqualTo(1);
      held.release();
      output = process.awaitSuccess(TIMEOUT);
    }

    assertThat(workspace.resolve("written.txt")).hasContent("hello");
    assertThat(output).contains("It is written.");
    var requests = lane.requests();
    assertThat(requests.count()).as(requests.toString()).isEqualTo(2);
    for (int number = 1; number <= 2; number++) {
      assertThat(lane.awaitSettled(number, TIMEOUT).outcome()).isEqualTo(Outcome.ANSWERED);
    }
    assertThat(requests.last().request().wire()).isEqualTo(wire);
    assertThat(requests.last().occurrences(PROMPT)).isEqualTo(1);
    assertThat(requests.last().request().conversation())
        .anyMatch(
            message -> message.role() == Message.Role.TOOL && message.text().contains("released"));
    assertThat(lane.strays()).isEmpty();
  }
}
