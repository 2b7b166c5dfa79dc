package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsPageTest {
  private static final Path README = AgentTable.FILE.resolveSibling("../../README.md").normalize();

  /** The agents of the table in the README, by the name that their users know. */
  private static final Map<String, String> SHOWN = new LinkedHashMap<>();

  static {
    SHOWN.put("Claude Code", "claude");
    SHOWN.put("Codex", "codex");
    SHOWN.put("Copilot", "copilot");
    SHOWN.put("Gemini CLI", "gemini");
    SHOWN.put("OpenCode", "opencode");
    SHOWN.put("pi", "pi");
  }

  /** Seen to fail when a difference with a colon in it is cut at the colon. */
  @Test
  void the_page_is_read_back_to_the_same_results() throws IOException {
    ResultsPage page = ResultsPage.read(AgentTable.FILE);
    assertThat(page.agents().keySet()).containsAll(SHOWN.values());
    assertThat(page.text()).isEqualTo(Files.readString(AgentTable.FILE));
    assertThat(page.agents().values())
        .allSatisfy(its ->
            assertThat(its.results())
                .hasSize(Operation.values().length)
                .allSatisfy((_, result) -> assertThat(result).isNotBlank()));
    assertThat(page.of("claude-agent-acp").results().get(Operation.STEER_IN_TOOL))
        .startsWith("in the next model request")
        .endsWith("it gives no evidence");
  }

  /** Seen to fail when a cell of the README or a result of an agent is changed. */
  @Test
  void the_table_of_agents_in_the_readme_follows_from_the_results() throws IOException {
    ResultsPage page = ResultsPage.read(AgentTable.FILE);
    List<String> rows =
        SHOWN.entrySet().stream()
            .map(agent -> row(agent.getKey(), page.of(agent.getValue()).results()))
            .toList();
    assertThat(Files.readAllLines(README)).as("rows of README.md").containsSequence(rows);
  }

  private static String row(String name, Map<Operation, String> its) {
    String cost = of(its, Operation.COST);
    return "| "
        + String.join(
            " | ",
            name,
            mark(!of(its, Operation.STEER_IN_TOOL).startsWith("held until the turn ends")),
            mark(isFull(its, Operation.WITHDRAW)),
            mark(of(its, Operation.AGENT_KILLED).startsWith("same session")),
            mark(isFull(its, Operation.PERMISSION)),
            mark(isFull(its, Operation.BLOCKED_TOOL)),
            mark(!cost.contains("no tokens")),
            mark(!cost.contains("no cost")))
        + " |";
  }

  private static String of(Map<Operation, String> its, Operation operation) {
    return its.getOrDefault(operation, "");
  }

  private static boolean isFull(Map<Operation, String> its, Operation operation) {
    return of(its, operation).equals(operation.fullResult());
  }

  private static String mark(boolean has) {
    return has ? "yes" : "–";
  }
}
