package dev.midcourse.agents.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Agent.WriteResult;
import dev.midcourse.agents.AgentSettings;
import dev.midcourse.agents.AgentSettings.Home;
import dev.midcourse.agents.AgentSettings.PromptBy;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Attempts;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.PromptInjected;
import dev.midcourse.core.agent.AgentEvent.Said;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that know nothing of us, called by the real shell. */
class CommandDriverTest {
  private final Hosting hosting = new Hosting();
  private final RecordingListener listener = new RecordingListener();
  private Attempts attempts = new Attempts(Path.of(""));

  @BeforeEach
  void prepare(@TempDir Path folder) {
    attempts = new Attempts(folder);
  }

  @AfterEach
  void end() {
    hosting.close();
  }

  private static AgentSettings calling(String script) {
    return AgentSettings.defaults()
        .withCommand("/bin/sh")
        .withArguments(List.of("-c", script, "program"))
        .withHome(Home.OWN);
  }

  private Agent start(AgentSettings settings) {
    return start(settings, hosting.keep(attempts.next()));
  }

  private Agent start(AgentSettings settings, AttemptSpec spec) {
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", System.getenv("PATH"), "SECRET", "s"));
    Agent agent =
        new StdioDriver(hosting.host(), new CommandDefinition(settings, hub)).start(spec, listener);
    listener.await(Started.class);
    return agent;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"ARGUMENT | printf %s \"$1\"", "FILE | cat \"$1\"", "STDIN | cat"})
  void the_prompt_comes_as_an_argument_in_a_file_or_on_standard_input(PromptBy way, String script) {
    Agent agent = start(calling(script).withPrompt(way));
    agent.prompt(1, "say \"grüße\"\n  $HOME `x` 'y'");

    TurnEnded end = listener.await(TurnEnded.class);
    assertThat(end)
        .isEqualTo(
            new TurnEnded(TurnEnd.COMPLETED, "exit status 0", "say \"grüße\"\n  $HOME `x` 'y'"));
    assertThat(listener.all(PromptInjected.class)).hasSize(1);
  }

  @Test
  void every_call_has_the_task_and_what_is_new_behind_it() {
    Agent agent = start(calling("cat").withPrompt(PromptBy.STDIN));
    agent.prompt(1, "the task");
    listener.await(TurnEnded.class);
    agent.prompt(2, "use tabs");
    listener.await(TurnEnded.class, _ -> true, 2);
    agent.prompt(3, "use spaces");
    TurnEnded third = listener.await(TurnEnded.class, _ -> true, 3);

    assertThat(listener.all(TurnEnded.class).get(1).text()).isEqualTo("the task\nuse tabs");
    assertThat(third.text()).isEqualTo("the task\nuse spaces");
  }

  @Test
  void its_messages_are_kept_in_the_folder_of_the_attempt() {
    AttemptSpec spec = hosting.keep(attempts.next());
    Agent agent = start(calling("printf %s \"$1\"").withPrompt(PromptBy.FILE), spec);
    agent.prompt(1, "the task");
    assertThat(listener.await(TurnEnded.class).text()).startsWith(spec.folder().toString());
  }

  @Test
  void a_prompt_that_is_written_twice_is_one_call() {
    Agent agent = start(calling("echo once"));
    agent.prompt(1, "the task");
    agent.prompt(1, "the task");
    agent.prompt(2, "more");
    listener.await(TurnEnded.class, _ -> true, 2);
    assertThat(listener.all(Said.class)).hasSize(2);
  }

  @Test
  void a_call_that_fails_is_a_turn_that_failed_with_the_last_line_as_the_reason() {
    Agent agent = start(calling("echo begun; echo broken >&2; exit 3"));
    agent.prompt(1, "the task");
    assertThat(listener.await(TurnEnded.class))
        .isEqualTo(new TurnEnded(TurnEnd.ERROR, "exit status 3: broken", ""));
    assertThat(listener.all(Said.class)).containsExactly(new Said("begun"), new Said("broken"));
  }

  @Test
  void a_program_that_is_not_there_is_missing_and_never_started_to_be_asked() throws Exception {
    Path started = attempts.workspace().resolve("started");
    Path program =
        Files.writeString(
            attempts.workspace().resolve("program"), "#!/bin/sh\n: > '" + started + "'\n");
    HubEnvironment hub = new HubEnvironment(Map.of("PATH", "/nowhere"));
    assertThat(program.toFile().setExecutable(true)).isTrue();

    assertThat(
            new CommandDefinition(AgentSettings.defaults().withCommand(program.toString()), hub)
                .find())
        .isInstanceOf(ProgramLookup.Found.class);
    assertThat(new CommandDefinition(AgentSettings.defaults().withCommand("nobody"), hub).find())
        .isInstanceOf(ProgramLookup.Missing.class);
    assertThat(started).doesNotExist();
  }

  @Test
  void nothing_reaches_a_running_call_and_its_end_ends_all_of_it() {
    AttemptSpec spec = hosting.keep(attempts.next());
    Agent agent = start(calling("echo here; sleep 600 & sleep 600"), spec);
    agent.prompt(1, "the task");
    listener.await(Said.class);

    assertThat(agent.steer(Steers.id(), "use tabs")).isEqualTo(WriteResult.UNSUPPORTED);
    assertThat(agent.interrupt()).isEqualTo(WriteResult.UNSUPPORTED);
    agent.end(StopTimeouts.DEFAULT);
    listener.await(Exited.class);
    assertThat(hosting.alive(spec)).isEmpty();
  }

  @Test
  void a_call_gets_nothing_of_the_hubs_environment() {
    Agent agent = start(calling("env"));
    agent.prompt(1, "the task");
    assertThat(listener.await(TurnEnded.class).text()).doesNotContain("SECRET");
  }
}
