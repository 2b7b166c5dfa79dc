package dev.midcourse.agents.rehearsal;

import static dev.midcourse.agents.Steers.framed;
import static dev.midcourse.agents.Steers.opening;
import static dev.midcourse.agents.Steers.steer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.program.RehearsalProgram;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Garbage;
import dev.midcourse.core.agent.AgentEvent.PromptInjected;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerAccepted;
import dev.midcourse.core.agent.AgentEvent.ToolFinished;
import dev.midcourse.core.agent.AgentEvent.ToolOutput;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the rehearsal agent does as a real program, beyond what its twin does. */
@Tag("slow")
final class RehearsalDriverTest extends RehearsalSuite {
  private final Hosting hosting = new Hosting();
  private final RehearsalDriver driver = new RehearsalDriver(hosting.host());

  @Override
  Driver driver() {
    return driver;
  }

  @Override
  void closeDriver() {
    hosting.close();
  }

  @Test
  void a_command_runs_in_the_workspace_and_its_output_is_reported_while_it_runs() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ pwd; echo 'grüße 🚀' >&2; sleep 600");
    listener.await(ToolOutput.class, it -> it.line().equals(spec.workspace().toString()));
    listener.await(ToolOutput.class, it -> it.line().equals("grüße 🚀"));
    assertThat(listener.all(ToolFinished.class)).isEmpty();
  }

  @Test
  void a_command_that_fails_is_reported_and_the_turn_continues() {
    RecordingListener listener = new RecordingListener();
    start(order(), listener).prompt(1, "$ exit 3\n$ true");
    assertThat(listener.await(TurnEnded.class).text()).isEqualTo("done: 2 steps, 1 failed");
    assertThat(listener.await(ToolFinished.class))
        .isEqualTo(new ToolFinished("call-1", false, "exit status 3"));
  }

  @Test
  void a_command_that_leaves_something_in_the_background_is_not_waited_for() {
    RecordingListener listener = new RecordingListener();
    start(order(), listener).prompt(1, "$ sleep 600 & echo started");
    assertThat(listener.await(TurnEnded.class).how()).isEqualTo(TurnEnd.COMPLETED);
    assertThat(listener.all(ToolOutput.class)).containsExactly(new ToolOutput("call-1", "started"));
  }

  @Test
  void its_environment_is_made_from_nothing() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(order(Optional.empty(), Map.of("GIVEN", "by settings")));
    start(spec, listener).prompt(1, "$ env");
    listener.await(TurnEnded.class);

    List<String> lines = listener.all(ToolOutput.class).stream().map(ToolOutput::line).toList();

    assertThat(lines)
        .contains(
            "GIVEN=by settings",
            "HOME=" + spec.home(),
            "TERM=dumb",
            "MIDCOURSE_RUN=some-run",
            "MIDCOURSE_ATTEMPT=" + spec.attempt(),
            "MIDCOURSE_MARK=" + spec.mark());
    assertThat(lines.stream().map(line -> line.substring(0, line.indexOf('='))))
        .containsOnlyOnce("PATH", "LANG", "TMPDIR")
        .isSubsetOf(
            "PATH",
            "HOME",
            "LANG",
            "LC_CTYPE", // only if the hub has one
            "TMPDIR",
            "TERM",
            "MIDCOURSE_RUN",
            "MIDCOURSE_ATTEMPT",
            "MIDCOURSE_MARK",
            "GIVEN",
            // What the shell of the command adds itself.
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_");
  }

  @Test
  void after_an_interrupt_nothing_of_the_tool_is_alive() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ setsid sleep 601 & (sleep 602 & sleep 603) & echo up; sleep 604");
    listener.await(ToolOutput.class);
    Awaitility.await()
        .until(() -> hosting.alive(spec).stream().filter("sleep"::equals).count() == 4);

    agent.interrupt();
    listener.await(TurnEnded.class);

    assertThat(hosting.alive(spec)).doesNotContain("sleep").contains("java");
  }

  @Test
  void an_agent_that_ignores_term_is_killed_with_its_tool() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "! ignore-term\n$ trap '' TERM; sleep 600; true");
    listener.await(ToolStarted.class);

    Agent.StopResult ended = agent.end(GRACE);

    assertThat(ended.killed()).isPositive();
    assertThat(hosting.alive(spec)).isEmpty();
    assertThat(listener.await(Exited.class).code()).isNotZero();
  }

  @Test
  void an_agent_that_is_asked_to_leave_does_so_by_itself() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ sleep 600");
    listener.await(ToolStarted.class);

    Agent.StopResult ended =
        agent.end(
            new StopTimeouts(
                Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(5)));

    assertThat(ended.killed()).isZero();
    assertThat(ended.terminated()).isZero();
    assertThat(listener.await(Exited.class).code()).isZero();
    assertThat(hosting.alive(spec)).isEmpty();
  }

  @Test
  void term_ends_it_with_its_tool_and_no_further_command_is_begun() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ sleep 600\n$ touch begun; sleep 601");
    listener.await(ToolStarted.class);
    ProcessHandle.of(pidOf(spec, "java")).orElseThrow().destroy();
    assertThat(listener.await(Exited.class).code()).isEqualTo(143);
    assertThat(commands(listener)).containsExactly("sleep 600");
    Awaitility.await().until(() -> !hosting.alive(spec).contains("sleep"));
    assertThat(spec.workspace().resolve("begun")).doesNotExist();
  }

  @Test
  void a_child_that_it_left_in_a_session_of_its_own_is_ended_with_it() {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "! leave-child\n! exit-without-answer");
    listener.await(Exited.class);
    Awaitility.await().until(() -> hosting.alive(spec).contains("sleep"));

    Agent.StopResult ended = agent.end(GRACE);

    assertThat(ended.processes()).isPositive();
    assertThat(hosting.alive(spec)).isEmpty();
  }

  @Test
  void killed_in_a_command_it_resumes_and_runs_that_command_again() throws IOException {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    SteerId id = Steers.id();
    String steps = "$ echo 1 >> log\n$ echo 2 >> log; test -e again || sleep 600\n$ echo 3 >> log";
    agent.prompt(1, opening(steps, steer(id, "heard before it died")));
    Path log = spec.workspace().resolve("log");
    Awaitility.await().until(() -> Files.exists(log) && Files.readAllLines(log).size() == 2);
    hosting.kill(spec, "java");
    assertThat(listener.await(Exited.class).code()).isEqualTo(137);
    agent.end(GRACE);
    Files.createFile(spec.workspace().resolve("again"));

    RecordingListener again = new RecordingListener();
    AttemptSpec next = hosting.keep(order(listener.await(Started.class).session(), Map.of()));
    start(next, again).prompt(2, "Go on.");

    assertThat(again.await(TurnEnded.class).text())
        .startsWith("done: 3 steps")
        .contains(id.value());
    assertThat(Files.readAllLines(log)).containsExactly("1", "2", "2", "3");
    assertThat(commands(again)).hasSize(2);
  }

  @Test
  void half_a_line_at_the_end_of_its_transcript_is_dropped() throws IOException {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ true 1\n! exit-without-answer\n$ true 2");
    listener.await(Exited.class);
    var session = listener.await(Started.class).session().orElseThrow();
    try (var files = Files.list(spec.home().resolve(".midcourse-rehearsal"))) {
      Files.writeString(
          files.findFirst().orElseThrow(), "{\"note\":\"step_do", StandardOpenOption.APPEND);
    }
    for (int turn = 2; turn <= 3; turn++) {
      RecordingListener again = new RecordingListener();
      start(hosting.keep(order(Optional.of(session), Map.of())), again).prompt(turn, "Go on.");
      assertThat(again.await(TurnEnded.class).text()).isEqualTo("done: 2 steps");
    }
  }

  @Test
  void an_agent_that_hangs_does_not_read_and_the_writer_gets_input_full() {
    RecordingListener listener = new RecordingListener();
    Agent agent = start(order(), listener);
    agent.prompt(1, "! hang");
    listener.await(PromptInjected.class);
    String long32k = "x".repeat(32 * 1024);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          SteerId id = Steers.id();
          return agent.steer(id, framed(id, long32k)) == WriteResult.INPUT_FULL;
        });
    assertThat(listener.all(SteerAccepted.class)).isEmpty();
  }

  @Test
  void every_kind_of_garbage_is_reported_and_none_is_taken_for_a_message() {
    RecordingListener listener = new RecordingListener();
    start(order(), listener).prompt(1, "! garbage");
    listener.await(TurnEnded.class);
    assertThat(listener.all(Garbage.class))
        .extracting(Garbage::excerpt)
        .containsExactly(
            "this is not JSON",
            "\uFFFD(\uFFFD\0",
            "{\"type\":\"no_such_thing\"}",
            "{\"type\":\"steer_accepted\",\"steer_id\":\"../../etc\"}",
            "{\"half\":");
    assertThat(listener.all(SteerAccepted.class)).isEmpty();
  }

  @Test
  void unreadable_input_is_reported_and_the_next_is_read() throws IOException {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = order();
    Agent agent = start(spec, listener);
    listener.await(Started.class);
    Files.writeString(
        spec.folder().resolve("in"),
        "nonsense\n{\"type\":\"dance\"}\n{\"type\":\"prompt\",\"turn\":{}}\n",
        StandardOpenOption.WRITE);
    agent.prompt(1, "$ true");
    assertThat(listener.await(TurnEnded.class).how()).isEqualTo(TurnEnd.COMPLETED);
    assertThat(listener.all(Garbage.class)).hasSize(3);
  }

  @Test
  void a_slow_starter_still_reads_its_earlier_input() {
    RecordingListener listener = new RecordingListener();
    Agent agent =
        start(
            hosting.keep(order(Optional.empty(), Map.of(RehearsalProgram.SLOW_START, "500"))),
            listener);
    assertThat(agent.prompt(1, "$ true")).isEqualTo(WriteResult.WRITTEN);
    assertThat(listener.await(TurnEnded.class).how()).isEqualTo(TurnEnd.COMPLETED);
    assertThat(listener.events().getFirst()).isInstanceOf(Started.class);
  }

  @Test
  void it_says_which_process_it_is() {
    AttemptSpec spec = order();
    Agent agent = start(spec, new RecordingListener());
    assertThat(hosting.processes(spec)).anyMatch(process -> process.pid() == agent.pid());
  }

  private AttemptSpec order() {
    return hosting.keep(order(Optional.empty(), Map.of()));
  }

  private long pidOf(AttemptSpec spec, String name) {
    return hosting.processes(spec).stream()
        .filter(process -> process.name().equals(name))
        .findFirst()
        .orElseThrow()
        .pid();
  }
}
