package dev.midcourse.agents.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.core.agent.AgentEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a worker's files say, and what becomes of those that say nothing. */
class ForeignAgentTest extends ForeignFixture {

  /** Seen to fail when the file is left to the worker that ended its turn. */
  @Test
  void steers_unread_at_the_end_of_a_turn_are_returned_and_their_files_deleted()
      throws IOException {
    atWork();
    agent.steer(ONE, "Use tabs.");
    agent.steer(TWO, "Or spaces.");
    assertThat(box.resolve("steer/run-1.json")).exists();
    write("progress/run-1/t-1.json", RESULT);
    assertThat(news())
        .containsSubsequence(notTaken(ONE), notTaken(TWO))
        .last()
        .isInstanceOf(AgentEvent.TurnEnded.class);
    assertThat(box.resolve("steer/run-1.json")).doesNotExist();
  }

  /** Seen to fail when a steer is laid although no turn runs. */
  @Test
  void a_steer_that_comes_when_the_worker_has_just_ended_its_turn_is_given_back_at_once()
      throws IOException {
    atWork();
    write("progress/run-1/t-1.json", RESULT);
    news();
    agent.steer(ONE, "Use tabs.");
    assertThat(news()).containsExactly(notTaken(ONE));
    assertThat(box.resolve("steer/run-1.json")).doesNotExist();
  }

  /** Seen to fail when the acks are chosen among the first thousand files. */
  @Test
  void an_ack_is_read_among_more_foreign_acks_than_one_read_takes() throws IOException {
    atWork();
    agent.steer(ONE, "Use tabs.");
    for (int i = 0; i < 1_001; i++) {
      write("steer/run-0." + UUID.randomUUID() + ".acked.json", "{}");
    }
    write("steer/run-1.acked.json", "{\"steer_id\":\"" + ONE + "\",\"acked_at\":\"now\"}");
    await()
        .untilAsserted(() ->
            assertThat(batches)
                .as("the author of the steer waits for it")
                .filteredOn(AgentEventBatch::awaited)
                .flatExtracting(AgentEventBatch::events)
                .containsExactly(new AgentEvent.SteerAccepted(ONE, "the worker's ack")));
  }

  /** Seen to fail when files are read in the order of their names. */
  @Test
  void progress_is_read_in_the_order_of_its_numbers() throws IOException {
    atWork();
    Agent busy = agent;
    synchronized (busy) { // so that it looks when all of them are there
      for (int seq : List.of(10, 9, 100)) {
        write("progress/run-1/2026-03-01T12-00-00-000Z-" + seq + ".json", progress("step " + seq));
      }
    }
    assertThat(news())
        .containsExactly(
            new AgentEvent.Said("step 9"),
            new AgentEvent.Said("step 10"),
            new AgentEvent.Said("step 100"));
  }

  /** Seen to fail when whatever cannot be read is put aside at once. */
  @Test
  void progress_and_an_ack_that_are_half_written_are_waited_for() throws IOException {
    agent.end(StopTimeouts.DEFAULT);
    start(1, EARLY);
    atWork();
    agent.steer(ONE, "Use tabs.");
    write("progress/run-1/t-1.json", "{\"kind\":\"worker_pro");
    write("steer/run-1.acked.json", "{\"steer_id\":");
    assertThat(news()).isEmpty();
    write("progress/run-1/t-1.json", progress("reading"));
    write("steer/run-1.acked.json", "{\"steer_id\":\"" + ONE + "\"}");
    assertThat(news())
        .contains(new AgentEvent.Said("reading"))
        .contains(new AgentEvent.SteerAccepted(ONE, "the worker's ack"));
    assertThat(box.resolve("errors")).doesNotExist();
  }

  /** Seen to fail when files are read whatever they are. */
  @Test
  void nothing_is_read_through_a_link_that_a_worker_made() throws IOException {
    atWork();
    Path secret = Files.writeString(root.resolve("secret.json"), progress("sesame"));
    Files.createSymbolicLink(box.resolve("progress/run-1/t-1.json"), secret);
    Files.createSymbolicLink(box.resolve("steer/run-1.acked.json"), secret);
    assertThat(news()).isEmpty();
    assertThat(box.resolve("errors/run-1-t-1.json.reason.txt")).content().contains("plain file");
    assertThat(box.resolve("errors/steer-run-1.acked.json.reason.txt")).exists();
    assertThat(secret).exists();
  }

  /**
   * A kept ack would be read again and again; an ack that is deleted too early would never reach
   * the next hub. Seen to fail when acks are kept until the run ends, and when an ack is deleted as
   * soon as it is reported.
   */
  @Test
  void an_ack_is_kept_until_the_ledger_has_what_it_says() throws IOException {
    atWork();
    agent.steer(ONE, "mind the gap");
    Files.delete(box.resolve("steer/run-1.json"));
    write(
        "steer/run-1.acked.json",
        "{\"steer_id\":\"" + ONE + "\",\"acked_at\":\"now\",\"injected_at\":\"now\"}");
    await().until(() -> offsetOf(AgentEvent.SteerInjected.class) > 0);
    long told = offsetOf(AgentEvent.SteerInjected.class);
    Path kept = box.resolve("steer/run-1." + ONE + ".acked.json");
    agent.keptTo(told - 1);
    assertThat(news()).isNotEmpty();
    assertThat(kept).exists();
    agent.keptTo(told);
    assertThat(news()).isEmpty();
    assertThat(kept).doesNotExist();
  }

  /**
   * A hub can end between the two, and the next hub must report the progress once. Seen to fail
   * when progress is deleted as soon as it is reported, and when reported progress is reported
   * again although it is stored.
   */
  @Test
  void progress_is_reported_again_by_the_next_hub_where_the_ledger_has_not_got_it()
      throws IOException {
    atWork();
    write("progress/run-1/t-1.json", progress("reads"));
    assertThat(checkpointOf("reads")).isPositive();
    AgentEventBatch.OutputCheckpoint kept = batches.getLast().upTo();
    agent.keptTo(kept.offset());
    write("progress/run-1/t-2.json", progress("writes"));
    write("progress/run-1/t-3.json", progress("tests"));
    assertThat(checkpointOf("tests")).isGreaterThan(kept.offset());
    agent.detach();
    batches.clear();

    attach(kept);
    assertThat(news()).contains(new AgentEvent.Said("writes"), new AgentEvent.Said("tests"));
    assertThat(news()).isEmpty();
    agent.detach();
    batches.clear();
    attach(new AgentEventBatch.OutputCheckpoint(100, kept.memo()));
    assertThat(news()).doesNotHaveAnyElementsOfTypes(AgentEvent.Said.class);
  }

  private long checkpointOf(String words) {
    await().until(() -> said(words).isPresent());
    return said(words).orElseThrow().upTo().offset();
  }

  private Optional<AgentEventBatch> said(String words) {
    return batches.stream()
        .filter(it -> it.events().contains(new AgentEvent.Said(words)))
        .findFirst();
  }

  private long offsetOf(Class<? extends AgentEvent> kind) {
    return batches.stream()
        .filter(it -> it.events().stream().anyMatch(kind::isInstance))
        .mapToLong(it -> it.upTo().offset())
        .findFirst()
        .orElse(0);
  }
}
