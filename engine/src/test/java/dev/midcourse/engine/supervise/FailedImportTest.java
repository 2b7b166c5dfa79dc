package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.git.PrivateRepository;
import dev.midcourse.core.run.Limits;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ManualClock;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.engine.ShellGit;
import dev.midcourse.engine.context.AgentQuota;
import dev.midcourse.ledger.Log;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs without a dispatch whose agent was in a sandbox and has left a commit that is not whole. The
 * log of the run says so, however the run ends.
 */
class FailedImportTest {
  private static final Duration TIME_LIMIT = Duration.ofHours(2);

  private final ScriptedAgent puppet = new ScriptedAgent();
  private final ManualClock clock = new ManualClock();
  private Path folder;
  private EngineFixture fixture;

  @BeforeEach
  void open(@TempDir Path temporary) throws Exception {
    folder = temporary.toRealPath();
    ShellGit.clone(folder);
    Duration day = Duration.ofDays(1);
    fixture =
        new EngineFixture(
            folder,
            puppet,
            clock,
            new StallPolicy(day, day, day, day.multipliedBy(2)),
            new AgentQuota(
                Optional.empty(),
                new Limits(Optional.of(TIME_LIMIT), Optional.empty(), Optional.empty())));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** What a sandbox and its agent leave: a private repository whose branch has lost its objects. */
  private void leaveDamagedCommit() throws Exception {
    PrivateRepository agents = PrivateRepository.of(folder).orElseThrow();
    agents.prepare();
    Files.writeString(agents.folder().resolve("refs/heads/main"), "1".repeat(40) + "\n");
  }

  private List<String> notes(Run run) {
    return fixture.ledger.log().after(0, Log.Filter.of(run.id()), 1_000).entries().stream()
        .filter(entry -> entry.kind().equals("noted"))
        .map(Log.LogEntry::json)
        .toList();
  }

  private void assertNoted(Run run) {
    assertThat(notes(run))
        .singleElement()
        .asString()
        .contains("the commits of the agent are not taken over", "midcourse repair " + run.id());
  }

  /** Seen to fail when only the checkouts of dispatches are checked. */
  @Test
  void a_run_that_is_done_has_a_note() throws Exception {
    Run run = puppet.running(fixture, "build it");
    leaveDamagedCommit();
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertNoted(run);
    Path clone = Path.of(run.spec().workspace());
    assertThat(fixture.engine().dispatching().repair(run.id(), clone)).hasSize(1);
  }

  /** Seen to fail when AttemptTermination.fail checks nothing. */
  @Test
  void a_run_that_has_reached_its_time_limit_has_a_note() throws Exception {
    Run run = puppet.running(fixture, "build it");
    leaveDamagedCommit();
    clock.move(TIME_LIMIT);
    fixture.steer(run, "wakes the supervisor, which sleeps by the machine's clock", SteerMode.NEXT);
    fixture.awaitState(run.id(), RunState.FAILED_TIMEOUT);
    assertNoted(run);
  }

  /** Seen to fail when AttemptTermination.fail checks nothing. */
  @Test
  void a_run_whose_attempts_are_all_lost_has_a_note() throws Exception {
    Run run = puppet.running(fixture, "build it");
    leaveDamagedCommit();
    for (int attempt = 1; attempt <= EngineFixture.MAX_ATTEMPTS; attempt++) {
      int started = attempt;
      await().until(() -> puppet.starts.size() == started);
      puppet.dies();
      clock.move(Duration.ofMinutes(1));
    }
    fixture.awaitState(run.id(), RunState.FAILED);
    assertNoted(run);
  }

  @Test
  void a_folder_that_no_sandbox_has_replaced_is_not_judged() throws Exception {
    Files.writeString(folder.resolve(".git/commondir"), folder + "\n");
    Run run = puppet.running(fixture, "build it");
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    assertThat(notes(run)).isEmpty();
  }
}
