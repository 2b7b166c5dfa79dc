package dev.midcourse.agents.rehearsal;

import static dev.midcourse.agents.Steers.framed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerNotTaken;
import dev.midcourse.core.agent.AgentEvent.ToolStarted;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The forgetful agent hides nothing that comes twice, and both keep what came as it came. */
@Tag("slow")
final class ForgetfulRehearsalTest extends RehearsalStage {
  private final Hosting hosting = new Hosting();
  private Driver driver = RehearsalDriver.forgetful(hosting.host());

  @Override
  Driver driver() {
    return driver;
  }

  @Override
  void closeDriver() {
    hosting.close();
  }

  /** Seen to fail when the program takes a steer that it holds only once. */
  @Test
  void a_steer_and_a_prompt_that_come_again_are_taken_again() throws IOException {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(order(Optional.empty(), Map.of()));
    SteerId id = Steers.id();
    steerTwice(spec, listener, id);
    listener.await(TurnEnded.class, _ -> true, 2);

    assertThat(listener.await(Started.class).can().has(Capability.IGNORES_REPEATED_ID)).isFalse();
    List<RehearsalEvent> notes = notes(spec, listener);
    assertThat(notes)
        .filteredOn(new RehearsalEvent.Took(id, framed(id, "once"))::equals)
        .hasSize(2);
    assertThat(notes).filteredOn(RehearsalEvent.Opened.class::isInstance).hasSize(2);
  }

  /** Seen to fail when what it received is noted after what it knows is left out. */
  @Test
  void a_mindful_agent_notes_each_time_it_received_what_it_takes_once() throws IOException {
    driver = new RehearsalDriver(hosting.host());
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(order(Optional.empty(), Map.of()));
    SteerId id = Steers.id();
    steerTwice(spec, listener, id);
    listener.await(TurnEnded.class);

    List<RehearsalEvent> notes = notes(spec, listener);
    assertThat(notes)
        .filteredOn(new RehearsalEvent.Took(id, framed(id, "once"))::equals)
        .hasSize(1);
    assertThat(notes)
        .filteredOn(note ->
            note instanceof RehearsalEvent.Received(String line) && line.contains("\"" + id + "\""))
        .hasSize(2);
    assertThat(notes).filteredOn(RehearsalEvent.Began.class::isInstance).hasSize(1);
  }

  @Test
  void a_refused_steer_is_recorded_as_returned() throws IOException {
    RecordingListener listener = new RecordingListener();
    AttemptSpec spec = hosting.keep(order(Optional.empty(), Map.of()));
    Agent agent = start(spec, listener);
    SteerId id = Steers.id();
    agent.steer(id, framed(id, "too early"));
    listener.await(SteerNotTaken.class);
    assertThat(notes(spec, listener)).endsWith(new RehearsalEvent.LetGo(id));
  }

  private void steerTwice(AttemptSpec spec, RecordingListener listener, SteerId id) {
    Agent agent = start(spec, listener);
    agent.prompt(1, "$ sleep 0.4");
    listener.await(ToolStarted.class);
    agent.steer(id, framed(id, "once"));
    agent.steer(id, framed(id, "once"));
    agent.prompt(1, "$ sleep 0.4");
  }

  private static List<RehearsalEvent> notes(AttemptSpec spec, RecordingListener listener)
      throws IOException {
    return Transcript.notes(spec.home(), listener.await(Started.class).session().orElseThrow());
  }
}
