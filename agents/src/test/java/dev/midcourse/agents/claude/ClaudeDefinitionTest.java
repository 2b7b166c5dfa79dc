package dev.midcourse.agents.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.Permissions;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How Claude Code is started: its arguments, and what of the hub's environment it gets. */
class ClaudeDefinitionTest {
  private static final HubEnvironment HUB =
      new HubEnvironment(
          Map.of(
              "HOME", "/home/user",
              "ANTHROPIC_API_KEY", "the-key",
              "OPENAI_API_KEY", "another-vendors-key",
              "AWS_SECRET_ACCESS_KEY", "nobody's business"));

  private static AgentCommand command(AgentSettings settings, Optional<SessionId> resume) {
    return new ClaudeDefinition(settings, HUB).command(spec(resume));
  }

  private static AttemptSpec spec(Optional<SessionId> resume) {
    return new AttemptSpec(
        RunId.of("run-1"),
        1,
        "0123456789abcdef",
        Path.of("attempt"),
        Path.of("home"),
        Path.of("workspace"),
        resume,
        Map.of());
  }

  @Test
  void the_tools_of_midcourse_are_added_and_need_no_permission() {
    ToolServer tools =
        new ToolServer("/opt/midcourse", List.of("mcp"), Map.of("MIDCOURSE_HOME", "/data"));
    AgentSettings settings =
        AgentSettings.defaults().withArguments(List.of("--mcp-config", "own.json"));
    assertThat(
            new ClaudeDefinition(settings, HUB)
                .command(spec(Optional.empty()).withTools(Optional.of(tools)))
                .argv())
        .containsSequence(
            "--mcp-config",
            "{\"mcpServers\":{\"midcourse\":{\"type\":\"stdio\",\"command\":\"/opt/midcourse\","
                + "\"alwaysLoad\":true,\"args\":[\"mcp\"],\"env\":{\"MIDCOURSE_HOME\":\"/data\"}}}}",
            "--allowedTools",
            "mcp__midcourse",
            "--mcp-config",
            "own.json");
    assertThat(command(AgentSettings.defaults(), Optional.empty()).argv())
        .doesNotContain("--mcp-config", "--allowedTools");
  }

  @Test
  void with_the_users_home_it_gets_its_vendors_variables_and_no_others() {
    assertThat(command(AgentSettings.defaults(), Optional.empty()).environment())
        .containsEntry("HOME", "/home/user")
        .containsEntry("ANTHROPIC_API_KEY", "the-key")
        .doesNotContainKeys("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "IS_SANDBOX");
  }

  @Test
  void with_a_home_of_its_own_it_gets_nothing_but_its_settings() {
    AgentSettings own =
        AgentSettings.defaults()
            .withHome(Home.OWN)
            .withEnvironment(Map.of("ANTHROPIC_API_KEY", "a worker's key"));
    assertThat(command(own, Optional.empty()).environment())
        .containsEntry("ANTHROPIC_API_KEY", "a worker's key")
        .doesNotContainKeys("HOME", "OPENAI_API_KEY");
  }

  @Test
  void it_asks_by_default_and_skips_that_only_on_request() {
    assertThat(command(AgentSettings.defaults(), Optional.empty()).argv())
        .contains("--permission-prompt-tool", "stdio")
        .doesNotContain("--dangerously-skip-permissions");
    AgentCommand bypass =
        command(AgentSettings.defaults().withPermissions(Permissions.BYPASS), Optional.empty());
    assertThat(bypass.argv()).contains("--dangerously-skip-permissions");
    assertThat(bypass.environment()).containsEntry("IS_SANDBOX", "1");
  }

  @Test
  void tools_that_need_a_keyboard_are_blocked_unless_the_settings_name_others() {
    assertThat(command(AgentSettings.defaults(), Optional.empty()).argv())
        .containsSubsequence("--disallowedTools", "AskUserQuestion", "ExitPlanMode");
    assertThat(
            command(AgentSettings.defaults().withBlockedTools(Set.of()), Optional.empty()).argv())
        .doesNotContain("--disallowedTools");
  }

  @Test
  void a_session_is_named_before_it_begins_and_resumed_by_its_name() {
    assertThat(command(AgentSettings.defaults(), Optional.empty()).argv()).contains("--session-id");
    assertThat(command(AgentSettings.defaults(), Optional.of(SessionId.of("s-1"))).argv())
        .containsSequence("--resume", "s-1")
        .doesNotContain("--session-id");
  }
}
