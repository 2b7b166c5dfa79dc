package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The table of what was proved, {@code docs/agents/README.md}. Each suite checks its own rows in
 * it, or writes them anew when {@code -Dmidcourse.table=write} asks for that.
 */
record AgentTable(String agent, String version) {
  private static final Path FILE =
      Path.of(System.getProperty("midcourse.root", ".."), "docs", "agents", "README.md");

  private static final String HEAD =
      """
      # What each agent was seen to do

      Written by the tests, which run the real programs against a scripted model
      (`./verify`; `-Dmidcourse.table=write` writes this page anew). A page per agent beside this one has the details.
      Of `codex-acp` there are no rows: it says of a turn whose model failed that it ended well ([acp.md](acp.md)).

      | agent | version | operation | what was proved |
      |---|---|---|---|
      """;

  /** Every row that a run of the suite gave must be there, and no others if it was complete. */
  void settle(Map<Operation, String> proved) throws IOException {
    List<String> found = rows(new EnumMap<>(proved));
    if (System.getProperty("midcourse.table", "").equals("write")) {
      write(found);
      return;
    }
    List<String> committed = committed().filter(this::isOurs).toList();
    String what = "rows of docs/agents/README.md; -Dmidcourse.table=write writes them anew";
    if (proved.size() == Operation.values().length) {
      assertThat(committed).as(what).containsExactlyElementsOf(found);
    } else {
      assertThat(committed).as(what).containsAll(found);
    }
  }

  private List<String> rows(Map<Operation, String> proved) {
    return proved.entrySet().stream()
        .map(row ->
            "| %s | %s | %s | %s |".formatted(agent, version, row.getKey().words(), row.getValue()))
        .toList();
  }

  private boolean isOurs(String row) {
    return row.startsWith("| " + agent + " |");
  }

  private static Stream<String> committed() throws IOException {
    return Files.exists(FILE)
        ? Files.readAllLines(FILE).stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| agent |"))
        : Stream.empty();
  }

  /** Rows of operations that were not tried this time stay as they are. */
  private void write(List<String> tried) throws IOException {
    List<String> before = committed().toList();
    List<String> all = new ArrayList<>(before.stream().filter(row -> !isOurs(row)).toList());
    int at = 0;
    while (at < all.size() && all.get(at).compareTo("| " + agent + " |") < 0) {
      at++;
    }
    for (Operation operation : Operation.values()) {
      String column = " | " + operation.words() + " | ";
      List<String> rows =
          Stream.concat(tried.stream(), before.stream().filter(this::isOurs))
              .filter(row -> row.contains(column))
              .limit(1)
              .toList();
      all.addAll(at, rows);
      at += rows.size();
    }
    Files.createDirectories(FILE.getParent());
    Files.writeString(FILE, HEAD + String.join("\n", all) + "\n");
  }
}
