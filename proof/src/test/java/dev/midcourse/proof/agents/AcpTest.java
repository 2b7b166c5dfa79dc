package dev.midcourse.proof.agents;

import static dev.midcourse.proof.model.Step.say;
import static dev.midcourse.proof.model.Step.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.midcourse.proof.model.Lane;
import dev.midcourse.proof.model.Script;
import dev.midcourse.proof.model.ScriptedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every agent with the Agent Client Protocol follows the script over that protocol. */
@Tag("agents")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcpTest {
  private static final String PROMPT = "Please write the file.";

  @TempDir(factory = BuildFolder.class)
  Path home;

  @TempDir(factory = BuildFolder.class)
  Path workspace;

  private final ScriptedModel model = ScriptedModel.start();
  private final Lane lane =
      model.lane("agent", Script.of(shell("echo hello > written.txt"), say("It is written.")));
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
  void claude_agent_acp_runs_the_models_command() throws Exception {
    runs(ClaudeHome.createForAcp(programs, home, lane), List.of());
  }

  /** It always uses Codex's sandbox, which has a temporary folder of its own. */
  @Test
  void codex_acp_runs_the_models_command() throws Exception {
    assumeFalse(
        home.toAbsolutePath().startsWith(System.getProperty("java.io.tmpdir")),
        "this clone is in the temporary folder of the system, which the sandbox of Codex hides");
    runs(CodexHome.createForAcp(programs, home, lane), List.of());
  }

  @Test
  void gemini_runs_the_models_command_over_acp() throws Exception {
    var arguments = new ArrayList<>(List.of("--acp"));
    arguments.addAll(GeminiHome.modelArguments());
    runs(GeminiHome.create(programs, home, lane), arguments);
  }

  @Test
  void opencode_runs_the_models_command_over_acp() throws Exception {
    runs(OpenCodeHome.create(programs, home, lane), List.of("acp"));
  }

  @Test
  void copilot_runs_the_models_command_over_acp() throws Exception {
    runs(CopilotHome.create(programs, home, lane), List.of("--acp"));
  }

  private void runs(AgentHome agent, List<String> arguments) throws Exception {
    var command = new ArrayList<>(List.of(agent.program().toString()));
    command.addAll(arguments);
    try (var process = RunningAgent.talking(agent, workspace, command)) {
      var turn = new AcpTurn(process);
      assertThat(turn.ask(workspace, PROMPT)).isEqualTo("end_turn");
      assertThat(turn.said()).contains("It is written.");
    }

    var requests = lane.requests();
    assertThat(workspace.resolve("written.txt")).as(requests.toString()).hasContent("hello");
    assertThat(requests.count()).as(requests.toString()).isEqualTo(2);
    assertThat(requests.last().occurrences(PROMPT)).isEqualTo(1);
    assertThat(lane.strays()).isEmpty();
  }
}
