package dev.midcourse.proof.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.PromptBy;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program without sessions, run by the real engine. */
@Tag("slow")
class CommandTest {
  private static final AgentName NAME = AgentName.of("tool");

  @TempDir Path folder;

  private AgentFixture fixture(String script) throws Exception {
    return AgentFixture.open(
        folder,
        NAME,
        AgentSettings.defaults()
            .withDriver("command")
            .withCommand("/bin/sh")
            .withArguments(List.of("-c", script))
            .withPrompt(PromptBy.STDIN)
            .withHome(Home.OWN));
  }

  private HeldCommand held() {
    return new HeldCommand(AgentFixture.workspace(folder), "call");
  }

  @ParameterizedTest
  @EnumSource(
      value = SteerMode.class,
      names = {"STEER", "FOLLOW_UP", "INTERRUPT"})
  void a_steer_during_a_call_is_in_the_next_call_with_the_task_once(SteerMode mode)
      throws Exception {
    HeldCommand call = held();
    String script = "cat >> calls.txt; echo >> calls.txt; " + call.command();
    try (AgentFixture fixture = fixture(script)) {
      Run run = fixture.run("Do the work.");
      call.awaitStarted(AgentFixture.TIMEOUT);
      SteerId steer = fixture.steer(run, mode, "Use tabs.");
      assertThat(fixture.receipt(steer).ended()).isEmpty();
      call.release();

      assertThat(fixture.awaitEnd(run).state()).as(fixture.story(run)).isEqualTo(RunState.DONE);
      String calls = Files.readString(fixture.workspace().resolve("calls.txt"));
      assertThat(calls.split("Do the work.", -1)).as(calls).hasSize(3);
      assertThat(calls.split("Use tabs.", -1)).as(calls).hasSize(2);
      assertThat(calls.lastIndexOf("Do the work.")).isLessThan(calls.indexOf("Use tabs."));
      assertThat(fixture.receipt(steer).ended().orElseThrow())
          .isIn(SteerEnd.CARRIED, SteerEnd.ANSWERED);
    }
  }

  @Test
  void a_call_that_fails_fails_the_run() throws Exception {
    try (AgentFixture fixture = fixture("echo 'no such file'; exit 2")) {
      Run run = fixture.run("Do the work.");
      Run ended = fixture.awaitEnd(run);
      assertThat(ended.state()).as(fixture.story(run)).isEqualTo(RunState.FAILED);
      assertThat(ended.result())
          .hasValueSatisfying(it -> assertThat(it).contains("exit status 2: no such file"));
    }
  }

  @Test
  void stop_ends_the_call() throws Exception {
    HeldCommand call = held();
    try (AgentFixture fixture = fixture(call.command())) {
      Run run = fixture.run("Do the work.");
      call.awaitStarted(AgentFixture.TIMEOUT);
      fixture.engine().runs().stop(run.id(), AgentFixture.PERSON);
      assertThat(fixture.awaitEnd(run).state()).as(fixture.story(run)).isEqualTo(RunState.STOPPED);
      await().atMost(AgentFixture.TIMEOUT).until(() -> !call.isAlive());
    }
  }
}
