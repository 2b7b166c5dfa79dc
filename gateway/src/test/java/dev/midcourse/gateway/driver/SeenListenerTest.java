package dev.midcourse.gateway.driver;

import static dev.midcourse.gateway.driver.SampleRecords.record;
import static dev.midcourse.gateway.read.SampleRequests.STEER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.SteerSeen;
import dev.midcourse.gateway.record.BeginRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenListenerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final AgentEvent SEEN = new SteerSeen(STEER, "request 1 (main 1), msg_1, 200");
  private static final AgentEvent TURN_ENDED =
      new AgentEvent.TurnEnded(AgentEvent.TurnEnd.COMPLETED, "", "Done.");
  private static final AgentEvent EXITED = new AgentEvent.Exited(0, "");

  private final List<AgentEventBatch> batches = new CopyOnWriteArrayList<>();
  private final AtomicInteger exits = new AtomicInteger();

  @TempDir Path folder;

  private SeenListener listener;

  @BeforeEach
  void setUp() {
    listener = waiting(TIMEOUT);
  }

  private SeenListener waiting(Duration maxWait) {
    return SeenListener.start(
        batches::add, file(), OutputCheckpoint.START, exits::incrementAndGet, maxWait);
  }

  @AfterEach
  void tearDown() {
    listener.close();
  }

  @Test
  void a_record_becomes_an_event_at_the_last_checkpoint() throws Exception {
    AgentEvent said = new AgentEvent.Said("hello");
    OutputCheckpoint here = new OutputCheckpoint(7, "memo");
    listener.onEvents(new AgentEventBatch(List.of(said), here));
    append(record(1).json() + "\n");
    listener.changed();
    await().atMost(TIMEOUT).until(() -> batches.size() == 2);
    assertThat(batches.get(1)).isEqualTo(new AgentEventBatch(List.of(SEEN), here));
  }

  @Test
  void a_line_that_is_not_whole_is_read_when_it_is() throws Exception {
    String line = record(1).json() + "\n";
    append("no json\n" + line.substring(0, 40));
    listener.onEvents(new AgentEventBatch(List.of(TURN_ENDED), OutputCheckpoint.START));
    assertThat(events()).containsExactly(TURN_ENDED);
    append(line.substring(40));
    listener.changed();
    await().atMost(TIMEOUT).until(() -> events().contains(SEEN));
  }

  @Test
  void the_end_of_a_turn_waits_for_the_record_of_a_request_that_has_begun() throws Exception {
    append(new BeginRecord(1, Instant.EPOCH).json() + "\n");
    Thread late =
        Thread.ofVirtual()
            .start(() -> {
              try {
                append(record(1).json() + "\n");
              } catch (IOException failure) {
                throw new IllegalStateException(failure);
              }
            });
    listener.onEvents(new AgentEventBatch(List.of(TURN_ENDED), OutputCheckpoint.START));
    late.join();
    assertThat(events()).containsExactly(SEEN, TURN_ENDED);
  }

  @Test
  void the_end_of_a_turn_does_not_wait_for_ever() throws Exception {
    append(new BeginRecord(1, Instant.EPOCH).json() + "\n");
    try (SeenListener impatient = waiting(Duration.ofMillis(20))) {
      impatient.onEvents(new AgentEventBatch(List.of(TURN_ENDED), OutputCheckpoint.START));
    }
    assertThat(events()).containsExactly(TURN_ENDED);
  }

  @Test
  void nothing_follows_the_exit_and_the_route_ends() throws Exception {
    append(record(1).json() + "\n");
    listener.onEvents(new AgentEventBatch(List.of(EXITED), OutputCheckpoint.START));
    append(record(2).json() + "\n");
    listener.changed();
    assertThat(events()).containsExactly(SEEN, EXITED);
    assertThat(exits).hasValue(1);
  }

  private List<AgentEvent> events() {
    return batches.stream().flatMap(batch -> batch.events().stream()).toList();
  }

  private Path file() {
    return folder.resolve("requests.jsonl");
  }

  private void append(String text) throws IOException {
    Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
