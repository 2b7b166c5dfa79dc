package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The table of supported agents in the README, compared with the test results of each agent. */
final class ReadmeAgentsTest {
  private static final Map<String, String> AGENTS =
      Map.of(
          "Claude Code", "claude",
          "Codex", "codex",
          "Copilot", "copilot",
          "Gemini CLI", "gemini",
          "OpenCode", "opencode",
          "pi", "pi");

  private static final Map<String, Column> COLUMNS =
      Map.of(
          "steer during a turn", new Column(Operation.STEER_IN_TOOL, has("in the next model")),
          "withdraw while a tool runs", new Column(Operation.WITHDRAW, has("returned while")),
          "same session after a crash", new Column(Operation.AGENT_KILLED, has("same session")),
          "permission requests", new Column(Operation.PERMISSION, has("asked before")),
          "blocked tools", new Column(Operation.BLOCKED_TOOL, has("not offered")),
          "tokens", new Column(Operation.COST, has("tokens as the model counted")),
          "cost", new Column(Operation.COST, has("a cost")));

  /** A column of the README: the operation that it is about, and whether a result is a "yes". */
  private record Column(Operation operation, Predicate<String> supported) {
    String of(ResultsPage.AgentResults results) {
      return supported.test(results.results().getOrDefault(operation, "")) ? "yes" : "–";
    }
  }

  private static Predicate<String> has(String part) {
    return result -> result.contains(part);
  }

  /** Seen to fail when a cell of the README is changed, and when a row is missing. */
  @Test
  void the_table_of_the_readme_has_the_results_of_the_tests() throws IOException {
    List<List<String>> table =
        Files.readString(AgentTable.FILE.resolve("../../../README.md").normalize())
            .lines()
            .dropWhile(line -> !line.startsWith("| agent |"))
            .takeWhile(line -> line.startsWith("|"))
            .filter(line -> !line.startsWith("|---"))
            .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
            .toList();
    List<String> columns = table.getFirst().subList(1, table.getFirst().size());
    assertThat(columns).containsExactlyInAnyOrderElementsOf(COLUMNS.keySet());
    List<List<String>> rows = table.subList(1, table.size());
    assertThat(rows)
        .extracting(List::getFirst)
        .containsExactlyInAnyOrderElementsOf(AGENTS.keySet());

    ResultsPage page = ResultsPage.read(AgentTable.FILE);
    for (List<String> row : rows) {
      String agent = Objects.requireNonNull(AGENTS.get(row.getFirst()));
      List<String> expected = new ArrayList<>(List.of(row.getFirst()));
      for (String column : columns) {
        Column compared = Objects.requireNonNull(COLUMNS.get(column));
        expected.add(compared.of(page.of(agent)));
      }
      assertThat(row).isEqualTo(expected);
    }
  }
}
