package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.engine.context.EngineSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run continues the session of a finished one, and no two runs use a session at a time. */
class ContinueRunTest {
  private static final SessionId SESSION = SessionId.of("session-1");

  private ScriptedAgent puppet;
  private EngineFixture fixture;
  private Path folder;

  @BeforeEach
  void open(@TempDir Path temporary) {
    folder = temporary;
    puppet = new ScriptedAgent();
    fixture = new EngineFixture(temporary, puppet);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run done(String prompt) {
    Run run = puppet.running(fixture, prompt);
    puppet.ends("built");
    fixture.awaitState(run.id(), RunState.DONE);
    return run;
  }

  private Run continued(Run finished, String prompt) {
    return fixture.engine().runs().continueRun(finished.id(), prompt, EngineFixture.PERSON);
  }

  @Test
  void it_resumes_the_session_in_the_same_folder_and_home() {
    Run first =
        puppet.running(
            fixture,
            fixture.lingering("build it", EngineSettings.ANY_WORKER, Duration.ofMillis(1)));
    puppet.ends("built");
    fixture.awaitState(first.id(), RunState.DONE);
    Run second = continued(first, "now the tests");
    puppet.awaitMessage("prompt 1: now the tests");

    assertThat(second.spec().parent()).contains(first.id());
    assertThat(second.spec().linger()).contains(Duration.ofMillis(1));
    assertThat(puppet.starts).hasSize(2);
    assertThat(puppet.starts.getLast().resume()).contains(SESSION);
    assertThat(puppet.starts.getLast().workspace()).isEqualTo(puppet.starts.getFirst().workspace());
    assertThat(puppet.starts.getLast().home()).isEqualTo(puppet.starts.getFirst().home());
  }

  @Test
  void a_run_that_continues_a_continuation_has_the_home_of_the_first() {
    Run second = continued(done("build it"), "now the tests");
    puppet.awaitMessage("prompt 1: now the tests");
    puppet.begins(1);
    puppet.ends("tested");
    fixture.awaitState(second.id(), RunState.DONE);
    continued(second, "and the docs");
    puppet.awaitMessage("prompt 1: and the docs");
    assertThat(puppet.starts.getLast().home()).isEqualTo(puppet.starts.getFirst().home());
  }

  @Test
  void a_live_run_is_steered_and_not_continued() {
    Run run = puppet.running(fixture, "build it");
    assertThatThrownBy(() -> continued(run, "now the tests"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is running; steer it instead");
  }

  @Test
  void of_two_runs_that_continue_the_same_run_the_second_is_refused_while_the_first_lives() {
    Run first = done("build it");
    Run second = continued(first, "now the tests");
    assertThatThrownBy(() -> continued(first, "and the docs"))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo(Code.DUPLICATE);
              assertThat(refused.problem().message()).contains(second.id().value());
            });
  }

  @Test
  void a_restart_is_refused_while_another_run_uses_the_session() {
    Run stopped = puppet.running(fixture, "build it");
    fixture.engine().runs().stop(stopped.id(), EngineFixture.PERSON);
    fixture.awaitState(stopped.id(), RunState.STOPPED);
    continued(stopped, "now the tests");
    assertThatThrownBy(() ->
            fixture
                .engine()
                .runs()
                .restart(stopped.id(), Optional.empty(), false, EngineFixture.PERSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("uses the session");
  }

  @Test
  void it_waits_until_the_process_of_the_finished_run_has_ended() throws Exception {
    CountDownLatch ending = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    puppet.onMessage(
        "end",
        () -> {
          ending.countDown();
          awaitQuietly(mayEnd);
        });
    Run first = done("build it");
    ending.await();
    continued(first, "now the tests");
    Run other = fixture.run("something else");
    puppet.awaitMessage("prompt 1: something else");
    assertThat(fixture.now(other.id()).state()).isEqualTo(RunState.RUNNING);
    assertThat(puppet.starts).hasSize(2);

    mayEnd.countDown();
    puppet.awaitMessage("prompt 1: now the tests");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void an_agent_that_cannot_resume_begins_anew_and_is_told_so() {
    puppet.that(Capabilities.of(Capability.MID_TURN_STEER, Capability.INTERRUPT));
    Run first = done("build it");
    Run second = continued(first, "now the tests");

    assertThat(puppet.awaitMessage("prompt 1: The conversation"))
        .isEqualTo(
            "prompt 1: The conversation of run "
                + first.id()
                + " cannot be resumed, so you do not have it.\n\nnow the tests");
    assertThat(second.spec().session()).isEmpty();
    assertThat(second.spec().parent()).contains(first.id());
    assertThat(puppet.starts.getLast().resume()).isEmpty();
  }

  @Test
  void an_agent_that_has_lost_the_session_is_told_so_when_it_begins_anew() {
    Run first = done("build it");
    puppet.slowToStart();
    continued(first, "now the tests");
    for (int tries = 2; tries <= 4; tries++) {
      int all = tries;
      await().until(() -> puppet.starts.size() == all);
      puppet.givesUp();
    }
    await().until(() -> puppet.starts.size() == 5);
    assertThat(puppet.starts.getLast().resume()).isEmpty();
    puppet.started();
    assertThat(puppet.awaitMessage("prompt 1: The conversation"))
        .startsWith("prompt 1: The conversation of run " + first.id() + " cannot be resumed");
  }

  @Test
  void a_run_whose_folder_is_gone_is_not_continued() throws Exception {
    Run first = done("build it");
    Path gone = folder.resolve("gone");
    Run elsewhere =
        fixture.ledger.write(tx -> {
          Run moved =
              Run.queued(
                  RunId.of("elsewhere"),
                  new RunSpec(
                      "x",
                      first.spec().agent(),
                      first.spec().worker(),
                      gone.toString(),
                      first.spec().author(),
                      first.spec().pending(),
                      1,
                      Optional.empty(),
                      Optional.empty(),
                      Optional.empty()),
                  first.createdAt());
          tx.put(moved);
          return moved;
        });
    fixture.engine().runs().stop(elsewhere.id(), EngineFixture.PERSON);
    await().until(() -> !fixture.now(elsewhere.id()).state().live());
    assertThat(Files.exists(gone)).isFalse();
    assertThatThrownBy(() -> continued(elsewhere, "now the tests"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is gone; start a new run");
  }
}
