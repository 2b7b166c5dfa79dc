package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.core.Transition;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunOutcome;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A ledger with ten thousand runs: all are listed with little memory. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThousandsTest {
  private static final int RUNS = 10_000;
  private static final int EVERY_HOW_MANY_FAIL = 100;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

  private RealHub hub;
  private Path data;

  @BeforeAll
  void a_hub_with_ten_thousand_runs(@TempDir Path folder) throws IOException {
    data = folder;
    try (Ledger ledger = SqliteLedger.open(data.resolve("midcourse.db"))) {
      ledger.write(tx -> {
        for (int i = 0; i < RUNS; i++) {
          tx.put(ended(i));
        }
        return RUNS;
      });
    }
    hub = RealHub.start(data);
  }

  @AfterAll
  void end_everything() throws IOException, InterruptedException {
    hub.close();
  }

  private static Run ended(int i) {
    Instant at = FIRST.plusSeconds(i);
    RunSpec spec =
        new RunSpec(
            "Task %d: 直す the parser 🛠 and everything that hangs on it".formatted(i),
            AgentName.of("rehearsal"),
            WorkerName.of("any"),
            "/",
            Author.person("test"),
            PendingPolicy.ALL,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    boolean fails = i % EVERY_HOW_MANY_FAIL == 0;
    RunOutcome outcome =
        fails
            ? new RunOutcome(RunState.FAILED, "the disk was full")
            : new RunOutcome(RunState.DONE, "done: 直した 🎉 " + "and more ".repeat(20));
    Lease lease = new Lease(HostName.of("here"), at.plus(Duration.ofMinutes(2)));
    Run picked = changed(Run.queued(id(i), spec, at), new RunChange.Picked(lease, at));
    return changed(picked, new RunChange.Finished(1, outcome, at.plusSeconds(60)));
  }

  private static Run changed(Run run, RunChange change) {
    return ((Transition.Changed<Run>) RunTransitions.apply(run, change)).next();
  }

  private static RunId id(int i) {
    return RunId.of("run-%05d".formatted(i));
  }

  /** Runs a command like the launcher, with less memory than all the runs would need. */
  private String inLittleMemory(String... words) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(RealHub.program(data, List.of(words), "-Xmx16m"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @Test
  void ps_lists_all_of_them_newest_first() throws Exception {
    List<String> lines = inLittleMemory("ps", "--all").lines().toList();
    assertThat(lines).hasSize(RUNS + 1);
    assertThat(lines.getFirst()).startsWith("RUN");
    assertThat(lines.get(1)).startsWith("run-09999").contains("done");
    assertThat(lines.getLast()).startsWith("run-00000").contains("failed");
    assertThat(lines.stream().skip(1).map(line -> line.substring(0, 9))).doesNotHaveDuplicates();
  }

  @Test
  void ps_prints_all_of_them_as_one_array() throws Exception {
    String out = inLittleMemory("ps", "--all", "--json");
    assertThat(JsonReader.readObject("{\"all\":" + out + "}").objects("all")).hasSize(RUNS);
  }

  @Test
  void a_narrow_terminal_gets_one_line_for_each() {
    CliRunner.Typed typed = hub.cli().watching(50).type("ps", "--all");
    assertThat(typed.out().lines()).hasSize(RUNS + 1).allMatch(line -> width(line) <= 50);
  }

  private static int width(String line) {
    return DisplayWidth.of(line.replaceAll("\u001b\\[[0-9;]*m", ""));
  }

  @Test
  void a_limit_and_a_state_are_kept_to_over_pages() {
    assertThat(hub.cli().type("ps", "--all", "--limit", "777", "--quiet").out()).hasLineCount(777);
    assertThat(hub.cli().type("ps", "--state", "failed", "--quiet").out())
        .hasLineCount(RUNS / EVERY_HOW_MANY_FAIL);
  }

  @Test
  void next_names_the_one_that_has_waited_longest_of_all() throws Exception {
    assertThat(inLittleMemory("next"))
        .startsWith("run-00000: failed")
        .contains(RUNS / EVERY_HOW_MANY_FAIL - 10 + " more runs: midcourse ps");
  }

  @Test
  void a_beginning_that_thousands_share_names_only_some() {
    CliRunner.Typed typed = hub.cli().type("show", "run-0");
    assertThat(typed.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(typed.err()).hasLineCount(2).contains("and more");
    assertThat(typed.err().length()).isLessThan(400);
  }
}
