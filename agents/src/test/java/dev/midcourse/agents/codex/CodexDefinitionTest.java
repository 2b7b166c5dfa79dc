package dev.midcourse.agents.codex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.program.ProgramVersion;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodexDefinitionTest {
  private static final AttemptSpec ORDER =
      new AttemptSpec(
          RunId.of("some-run"),
          1,
          "mark",
          Path.of("folder"),
          Path.of("home"),
          Path.of("workspace"),
          Optional.empty(),
          Map.of());

  private static List<String> words(AgentSettings settings) {
    return new CodexDefinition(settings, new HubEnvironment(Map.of())).command(ORDER).argv();
  }

  @Test
  void a_steer_never_cuts_off_what_the_model_says_and_no_goal_makes_it_work_on_by_itself() {
    assertThat(words(AgentSettings.defaults()))
        .containsExactly(
            "codex", "app-server", "--disable", "instant_interrupt", "--disable", "goals");
  }

  @Test
  void a_blocked_tool_is_switched_off_and_what_the_settings_add_comes_last() {
    assertThat(
            words(
                AgentSettings.defaults()
                    .withBlockedTools(Set.of("web_search", "exec_command", "write_stdin"))
                    .withArguments(List.of("-c", "a=1"))))
        .endsWith("--disable", "shell_tool", "-c", "web_search=\"disabled\"", "-c", "a=1")
        .containsOnlyOnce("shell_tool")
        .doesNotContain("goals");
  }

  @Test
  void the_tools_of_midcourse_are_added_and_need_no_permission() {
    ToolServer tools =
        new ToolServer("/opt/a \"b\"/midcourse", List.of("mcp"), Map.of("MIDCOURSE_HOME", "/data"));
    assertThat(
            new CodexDefinition(AgentSettings.defaults(), new HubEnvironment(Map.of()))
                .command(ORDER.withTools(Optional.of(tools)))
                .argv())
        .endsWith(
            "-c",
            "mcp_servers.midcourse.command=\"/opt/a \\\"b\\\"/midcourse\"",
            "-c",
            "mcp_servers.midcourse.args=[\"mcp\"]",
            "-c",
            "mcp_servers.midcourse.env={\"MIDCOURSE_HOME\" = \"/data\"}",
            "-c",
            "mcp_servers.midcourse.tool_timeout_sec=3900",
            "-c",
            "mcp_servers.midcourse.default_tools_approval_mode=\"approve\"");
  }

  @Test
  void it_does_not_start_when_a_tool_cannot_be_blocked() {
    AgentSettings settings = AgentSettings.defaults().withBlockedTools(Set.of("apply_patch"));
    assertThatThrownBy(() -> words(settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be kept from apply_patch");
  }

  /** Seen to fail when Codex always makes a sandbox of its own. */
  @Test
  void it_makes_a_sandbox_of_its_own_unless_its_worker_has_one() {
    String hello = "{\"id\":\"hello\",\"result\":{\"userAgent\":\"midcourse/0.166.0\"}}";
    CodexDefinition codex =
        new CodexDefinition(AgentSettings.defaults(), new HubEnvironment(Map.of()));
    assertThat(codex.protocol(ORDER, Optional.empty()).read(hello).replies())
        .noneMatch(reply -> reply.contains("danger-full-access"));
    AttemptSpec confined =
        ORDER.confined(new SandboxSpec(new Sandbox.Bubblewrap(true, List.of(), List.of())));
    assertThat(codex.protocol(confined, Optional.empty()).read(hello).replies().getLast())
        .contains("thread/start", "\"danger-full-access\"");
  }

  @Test
  void an_older_version_gets_no_message_in_a_turn() {
    assertThat(CodexVersion.can(ProgramVersion.in("0.165.9")).has(Capability.MID_TURN_STEER))
        .isFalse();
    assertThat(CodexVersion.can(ProgramVersion.in("0.166.0")).has(Capability.MID_TURN_STEER))
        .isTrue();
    assertThat(CodexVersion.can(ProgramVersion.UNKNOWN).has(Capability.MID_TURN_STEER)).isFalse();
  }
}
