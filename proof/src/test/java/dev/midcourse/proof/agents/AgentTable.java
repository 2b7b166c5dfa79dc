package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * The results of one agent in {@code docs/agents/README.md}. Each suite checks its own results, or
 * writes them with {@code -Dmidcourse.table=write}.
 */
record AgentTable(String agent, String version) {
  static final Path FILE =
      Path.of(System.getProperty("midcourse.root", ".."), "docs", "agents", "README.md");

  /**
   * Checks that the page has every result of this run of the suite, and no others after a complete
   * run.
   */
  void settle(Map<Operation, String> proved) throws IOException {
    ResultsPage page = ResultsPage.read(FILE);
    ResultsPage.AgentResults committed = page.of(agent);
    if (System.getProperty("midcourse.table", "").equals("write")) {
      Map<Operation, String> all = new EnumMap<>(Operation.class);
      all.putAll(committed.results());
      all.putAll(proved);
      page.with(agent, new ResultsPage.AgentResults(version, all)).write(FILE);
      return;
    }
    String what = "results in docs/agents/README.md; -Dmidcourse.table=write writes them anew";
    assertThat(committed.version()).as("version, " + what).isEqualTo(version);
    if (proved.size() == Operation.values().length) {
      assertThat(committed.results()).as(what).containsExactlyInAnyOrderEntriesOf(proved);
    } else {
      assertThat(committed.results()).as(what).containsAllEntriesOf(proved);
    }
  }
}
