package dev.midcourse.agents.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** A turn begins when its task is taken and ends with a result, whatever else a worker writes. */
class ForeignTurnsTest extends ForeignFixture {

  /** Seen to fail when any message of a worker begins a turn. */
  @Test
  void progress_that_comes_after_the_result_is_reported_and_begins_no_turn() throws IOException {
    atWork();
    Agent busy = agent;
    synchronized (busy) { // so that it finds both in one look
      write("progress/run-1/t-1.json", RESULT);
      write("progress/run-1/t-2.json", progress("tidying up"));
    }
    assertThat(news())
        .containsExactly(
            new AgentEvent.TurnEnded(AgentEvent.TurnEnd.COMPLETED, "", "done"),
            new AgentEvent.Said("tidying up"));
    assertThat(box.resolve("progress/run-1/t-2.json")).doesNotExist();
  }

  /** Seen to fail when any message of a worker begins a turn. */
  @Test
  void a_stray_message_takes_no_task_and_proves_nothing_about_steers() throws IOException {
    atWork();
    write("progress/run-1/t-1.json", RESULT);
    news();
    agent.prompt(2, "And this.");
    write("progress/run-1/t-2.json", progress("tidying up"));
    assertThat(news()).containsExactly(new AgentEvent.Said("tidying up"));
    Files.delete(box.resolve("input/run-1-1-2.json"));
    assertThat(news())
        .contains(new AgentEvent.PromptInjected(2, "the worker took the file"))
        .contains(new AgentEvent.TurnStarted(false));
  }

  /** Seen to fail when a result ends whatever turn there is, taken or not. */
  @Test
  void a_second_result_is_put_aside_and_ends_nothing() throws IOException {
    atWork();
    write("progress/run-1/t-1.json", RESULT);
    assertThat(news()).hasAtLeastOneElementOfType(AgentEvent.TurnEnded.class);
    write("progress/run-1/t-2.json", RESULT);
    assertThat(news()).isEmpty();
    assertThat(box.resolve("errors/run-1-t-2.json.reason.txt")).content().contains("no turn runs");
    agent.prompt(2, "And this.");
    write("progress/run-1/t-3.json", RESULT);
    assertThat(news()).isEmpty();
    assertThat(box.resolve("errors/run-1-t-3.json.reason.txt")).content().contains("not taken");
    atWork(1, 2);
    write("progress/run-1/t-4.json", RESULT);
    assertThat(news()).hasAtLeastOneElementOfType(AgentEvent.TurnEnded.class);
  }

  /** Seen to fail when the phase that a worker names is left out. */
  @Test
  void the_phase_that_a_worker_names_is_reported_when_it_changes() throws IOException {
    atWork();
    String writing = "{\"kind\":\"worker_progress\",\"phase\":\"writing tests\",%s}";
    Agent busy = agent;
    synchronized (busy) {
      write("progress/run-1/t-1.json", writing.formatted("\"summary\":\"one\""));
      write(
          "progress/run-1/t-2.json",
          writing.formatted("\"summary\":\"two\",\"tool_used\":\"bash\",\"seq\":2"));
      write("progress/run-1/t-3.json", progress("three"));
    }
    assertThat(news())
        .containsExactly(
            new AgentEvent.Phase("writing tests"),
            new AgentEvent.Said("one"),
            new AgentEvent.ToolStarted("progress-2", "bash", "two", Optional.empty()),
            new AgentEvent.ToolFinished("progress-2", true, ""),
            new AgentEvent.Phase(""),
            new AgentEvent.Said("three"));
  }

  /** Seen to fail when old files are left for the next attempt to read. */
  @Test
  void files_of_an_earlier_attempt_are_put_aside_at_the_next_start() throws IOException {
    atWork();
    agent.end(StopTimeouts.DEFAULT);
    write("progress/run-1/t-1.json", RESULT);
    write("steer/run-1.acked.json", "{\"steer_id\":\"" + ONE + "\"}");
    batches.clear();
    start(2, LATE);
    atWork(2, 1);
    assertThat(news()).isEmpty();
    assertThat(box.resolve("errors/run-1-t-1.json.reason.txt"))
        .content()
        .contains("before attempt 2 began");
    assertThat(box.resolve("errors/steer-run-1.acked.json.reason.txt")).exists();
  }

  /** Seen to fail when a file that names no attempt is taken for one of the newest. */
  @Test
  void from_the_second_attempt_on_a_file_says_of_which_it_is() throws IOException {
    agent.end(StopTimeouts.DEFAULT);
    start(2, LATE);
    atWork(2, 1);
    write("progress/run-1/t-1.json", RESULT);
    write("progress/run-1/t-2.json", RESULT.replace("}", ",\"attempt\":1}"));
    assertThat(news()).isEmpty();
    assertThat(box.resolve("errors/run-1-t-1.json.reason.txt"))
        .content()
        .contains("does not say of which attempt");
    assertThat(box.resolve("errors/run-1-t-2.json.reason.txt")).content().contains("of attempt 1");
    write("progress/run-1/t-3.json", RESULT.replace("}", ",\"attempt\":2}"));
    assertThat(news()).hasAtLeastOneElementOfType(AgentEvent.TurnEnded.class);
  }

  /** Seen to fail when an attempt that is begun once more puts its own files aside. */
  @Test
  void an_attempt_that_a_dying_hub_began_and_the_next_begins_again_keeps_its_files()
      throws IOException {
    atWork();
    agent.detach();
    write("progress/run-1/t-1.json", RESULT);
    start(1, LATE);
    agent.prompt(1, "Do it.");
    assertThat(news()).hasAtLeastOneElementOfType(AgentEvent.TurnEnded.class);
  }

  /** Seen to fail when a look reads everything that lies there. */
  @Test
  void more_files_than_one_read_takes_are_read_in_several_and_in_order() throws IOException {
    atWork();
    String large = "x".repeat(1_000_000);
    Agent busy = agent;
    synchronized (busy) { // so that it looks when all of them are there
      for (int i = 1; i <= 12; i++) {
        write("progress/run-1/t-" + i + ".json", progress(i + large));
      }
    }
    await().until(() -> said().size() == 12);
    assertThat(batches).as("looks").allMatch(it -> it.events().size() < 12);
    for (int i = 1; i <= 12; i++) {
      assertThat(said().get(i - 1)).startsWith(i + "x");
    }
  }

  private List<String> said() {
    return batches.stream()
        .flatMap(it -> it.events().stream())
        .filter(AgentEvent.Said.class::isInstance)
        .map(event -> ((AgentEvent.Said) event).text())
        .toList();
  }

  /** Seen to fail when messages are reported while the lock of the agent is held. */
  @Test
  void a_caller_that_does_not_listen_can_steer_and_stop() throws IOException {
    atWork();
    Semaphore listens = new Semaphore(0);
    agent.detach();
    agent =
        new ForeignDriver(root.resolve("mail"), host.folders(), LATE)
            .attach(
                WorkerSpec.under(root, 1),
                new AgentEventBatch.OutputCheckpoint(0, ""),
                it -> {
                  listens.acquireUninterruptibly();
                  batches.add(it);
                });
    write("progress/run-1/t-1.json", progress("working"));
    await().until(() -> listens.hasQueuedThreads());
    assertThat(agent.steer(ONE, "remark")).isEqualTo(Agent.WriteResult.WRITTEN);
    agent.end(StopTimeouts.DEFAULT);
    listens.release(100);
    await()
        .until(() ->
            batches.stream()
                .flatMap(it -> it.events().stream())
                .anyMatch(AgentEvent.Exited.class::isInstance));
  }
}
