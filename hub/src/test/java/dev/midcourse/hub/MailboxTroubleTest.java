package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.watch.Notice;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Known failures between leads and workers that use mailboxes. */
class MailboxTroubleTest extends MailboxFixture {

  /** Would fail if acks had one file name: the second ack would replace the first. */
  @Test
  void two_steers_in_a_row_are_acked_each_and_no_ack_takes_the_place_of_another() throws Exception {
    worker = data.resolve("ipc/jarvis-worker-2");
    started("sync-1");
    progress("sync-1", 1, "working");
    task("1.json", steer("sync-1", "one"));
    JsonNode first = awaitSteer("sync-1");
    task("2.json", steer("sync-1", "two"));
    await().atMost(LONG).until(() -> steers("sync-1").size() == 2);
    assertThat(json(worker.resolve("steer/sync-1.json"))).isEqualTo(first);

    fixture.close();
    ack("sync-1", id(first), "2026-03-01T12:00:00Z");
    fixture = HubFixture.asTheFileSays(data);

    JsonNode second = awaitSteer("sync-1");
    assertThat(second.path("message").asString()).contains("two");
    assertThat(worker.resolve("steer/sync-1.acked.json")).doesNotExist();
    ack("sync-1", id(second), "2026-03-01T12:00:01Z");
    await()
        .atMost(LONG)
        .untilAsserted(() ->
            assertThat(steers("sync-1"))
                .extracting(it -> it.path("rung").asString())
                .containsExactly("injected", "injected"));
  }

  /** Would fail if a worker that acks and then deletes could delete the next steer. */
  @Test
  void a_steer_that_was_deleted_unread_in_place_of_the_one_before_is_written_again()
      throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    task("1.json", steer("sync-1", "one"));
    JsonNode first = awaitSteer("sync-1");
    task("2.json", steer("sync-1", "two"));
    await()
        .atMost(LONG)
        .until(() -> awaitSteer("sync-1").path("message").asString().contains("two"));
    ack("sync-1", id(first), "");
    JsonNode again = awaitSteer("sync-1");
    assertThat(again.path("message").asString()).contains("two");
    ack("sync-1", id(again), "2026-03-01T12:00:00Z");
    await()
        .atMost(LONG)
        .until(() -> steers("sync-1").getLast().path("rung").asString().equals("injected"));
  }

  /** Would fail if an unreadable file stayed and was read again for ever. */
  @Tag("slow")
  @Test
  void corrupt_progress_and_acks_are_put_aside_and_the_next_are_read() throws Exception {
    started("sync-1");
    old(worker.resolve("progress/sync-1"), "2026-03-01T12-00-00-000Z-1.json", "{]");
    old(worker.resolve("steer"), "sync-1.acked.json", "null");
    await().atMost(LONG).until(() -> reason("sync-1-2026-03-01T12-00-00-000Z-1.json").isPresent());
    await().atMost(LONG).until(() -> reason("steer-sync-1.acked.json").isPresent());
    progress("sync-1", 2, "still here");
    awaitMessage("notice", message -> message.path("text").asString().endsWith("still here"));
  }

  /** Would fail if the name of a folder were trusted: any worker could then report for any run. */
  @Test
  void another_worker_reports_nothing_about_this_run_and_acks_none_of_its_steers()
      throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    task("1.json", steer("sync-1", "one"));
    JsonNode lying = awaitSteer("sync-1");
    Path mine = worker;
    worker = data.resolve("ipc/jarvis-worker-2");
    started("sync-2");
    progress("sync-2", 1, "working");
    Files.createDirectories(worker.resolve("progress/sync-1"));
    progress("sync-1", 2, "spoofed");
    write(worker.resolve("steer"), "sync-1.acked.json", ackOf(lying));
    write(worker.resolve("steer"), "sync-2.other.acked.json", ackOf(lying));
    task("2.json", steer("sync-2", "two"));
    ack("sync-2", id(awaitSteer("sync-2")), "2026-03-01T12:00:00Z");
    awaitReceipt("injected");
    assertThat(steers("sync-1").getFirst().path("rung").asString()).isEqualTo("offered");
    assertThat(messages("notice")).noneMatch(it -> it.toString().contains("spoofed"));
    assertThat(json(mine.resolve("steer/sync-1.json"))).isEqualTo(lying);
  }

  /** Would fail if a message about a run changed the run. */
  @Test
  void a_message_that_names_a_run_changes_nothing_about_it() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    Files.createDirectories(worker.resolve("messages"));
    write(
        worker.resolve("messages"),
        "m.json",
        JsonCodec.write(Map.of("to", "nobody", "text", "{\"run_id\": \"sync-1\"}")));
    await().atMost(LONG).until(() -> Files.notExists(worker.resolve("messages/m.json")));
    assertThat(run("sync-1").state().live()).isTrue();
  }

  /**
   * Would fail if notices were sent on the thread of steers: one slow listener would delay all
   * steers.
   */
  @Test
  void a_listener_of_notices_that_hangs_delays_no_steer_no_ack_and_no_end() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    fixture
        .hub()
        .engine()
        .notices()
        .add((Notice _) -> {
          hanging.countDown();
          uninterrupted(goOn);
        });
    try {
      started("sync-1");
      progress("sync-1", 1, "working");
      hanging.await();
      task("1.json", steer("sync-1", "one"));
      ack("sync-1", id(awaitSteer("sync-1")), "2026-03-01T12:00:00Z");
      awaitReceipt("injected");
      result("sync-1", 2, completion("sync-1"));
      assertThat(fixture.end("sync-1")).isEqualTo("review_requested");
      assertThat(goOn.getCount()).isOne();
    } finally {
      goOn.countDown();
    }
    awaitMessage("notice", message -> message.path("text").asString().contains("■"));
  }

  /** Would fail if a run kept the worker, the progress or the steers of an earlier attempt. */
  @Test
  void a_retry_on_another_worker_has_its_own_folder_progress_and_steers() throws Exception {
    started("sync-1");
    Optional<String> first = Optional.of("of the first try");
    progress("sync-1", 1, first.get());
    await().atMost(LONG).until(() -> run("sync-1").progress().map(Progress::summary).equals(first));
    task("1.json", steer("sync-1", "for the first try"));
    awaitSteer("sync-1");
    task("stop.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}");
    assertThat(fixture.end("sync-1")).isEqualTo("stopped");
    clear();
    Path before = worker;
    worker = data.resolve("ipc/jarvis-worker-2");
    task(
        "again.json",
        "{\"type\":\"dispatch\",\"worker\":\"jarvis-worker-2\",\"dispatch\":%s}"
            .formatted(dispatch("sync-1")));
    Path input = awaitSecondTry();
    assertThat(input).startsWith(worker);
    Files.delete(input);
    assertThat(run("sync-1").progress().map(Progress::summary)).isNotEqualTo(first);
    task("2.json", steer("sync-1", "for the second try"));
    assertThat(awaitSteer("sync-1").path("message").asString()).contains("for the second try");
    assertThat(before.resolve("steer/sync-1.json")).doesNotExist();
  }

  /** Would fail if a steer got a new id each time its file is read. */
  @Test
  void a_steer_file_that_is_found_again_after_a_crash_is_the_same_steer() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    Path kept = keep("1.json", steer("sync-1", "one"));
    awaitMessage("receipt", message -> message.path("in_reply_to").asString().equals("1.json"));
    clear();
    replay(kept, "1.json");
    awaitMessage("receipt", message -> message.path("in_reply_to").asString().equals("1.json"));
    assertThat(steers("sync-1")).hasSize(1);
    task("1.json", steer("sync-1", "one"));
    await().atMost(LONG).until(() -> steers("sync-1").size() == 2);
  }

  /** Would fail if an executed dispatch were refused, or executed again after its run failed. */
  @Test
  void a_dispatch_file_that_is_found_again_after_a_crash_is_answered_and_starts_nothing()
      throws Exception {
    String dispatch =
        "{\"type\":\"dispatch\",\"worker\":\"jarvis-worker-1\",\"dispatch\":%s}"
            .formatted(dispatch("sync-1"));
    Path kept = keep("d.json", dispatch);
    await().atMost(LONG).until(() -> Files.exists(worker.resolve("input/sync-1-1-1.json")));
    awaitMessage("run", _ -> true);
    clear();
    replay(kept, "d.json");
    awaitMessage("run", message -> message.path("in_reply_to").asString().equals("d.json"));

    task("stop.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}");
    assertThat(fixture.end("sync-1")).isEqualTo("stopped");
    await().atMost(LONG).until(() -> Files.notExists(lead.resolve("tasks/stop.json")));
    clear();
    replay(kept, "d.json");
    awaitMessage("run", message -> message.path("in_reply_to").asString().equals("d.json"));
    assertThat(run("sync-1").state().live()).isFalse();

    task("d.json", dispatch);
    assertThat(awaitSecondTry()).exists();
  }

  /** Seen to fail when the phase of a progress message is replaced by a phase of the hub. */
  @Test
  void the_phase_that_a_worker_names_is_that_of_its_run() throws Exception {
    started("sync-1");
    write(
        worker.resolve("progress/sync-1"),
        "t-1.json",
        "{\"kind\":\"worker_progress\",\"phase\":\"writing tests\",\"summary\":\"one of three\"}");
    await()
        .atMost(LONG)
        .until(() ->
            run("sync-1").progress().filter(it -> it.phase().equals("writing tests")).isPresent());
  }

  /** Seen to fail when the time of a file decides whether its task was done. */
  @Test
  void a_copy_of_a_dispatch_with_the_time_of_the_first_is_another_try() throws Exception {
    String dispatch =
        "{\"type\":\"dispatch\",\"worker\":\"jarvis-worker-1\",\"dispatch\":%s}"
            .formatted(dispatch("sync-1"));
    Path kept = Files.writeString(data.resolve("kept.json"), dispatch);
    copy(kept, "d.json");
    await().atMost(LONG).until(() -> Files.exists(worker.resolve("input/sync-1-1-1.json")));
    task("stop.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}");
    assertThat(fixture.end("sync-1")).isEqualTo("stopped");
    await().atMost(LONG).until(() -> Files.notExists(lead.resolve("tasks/d.json")));
    copy(kept, "d.json");
    assertThat(awaitSecondTry()).exists();
  }

  /** Copies a file with its time, like cp -p. */
  private void copy(Path kept, String name) throws IOException {
    Path hidden = lead.resolve("tasks/." + name);
    Files.copy(kept, hidden, StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(hidden, lead.resolve("tasks").resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path awaitSecondTry() {
    return await()
        .atMost(LONG)
        .until(
            () ->
                files(data.resolve("ipc")).stream()
                    .map(group -> group.resolve("input"))
                    .filter(Files::isDirectory)
                    .flatMap(input -> files(input).stream())
                    .filter(file -> file.getFileName().toString().startsWith("sync-1-2-"))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private Run run(String id) {
    Optional<Run> run = fixture.hub().engine().ledger().read(r -> r.run(RunId.of(id)));
    return run.orElseThrow();
  }

  private static String id(JsonNode steer) {
    return steer.path("steer_id").asString();
  }

  private static String ackOf(JsonNode steer) {
    return JsonCodec.write(Map.of("steer_id", id(steer), "acked_at", "now", "injected_at", "now"));
  }

  /** Writes a file with an old time, so that it does not count as incomplete. */
  private static void old(Path folder, String name, String text) throws IOException {
    Path hidden = Files.writeString(folder.resolve("." + name), text);
    Files.setLastModifiedTime(hidden, FileTime.fromMillis(1));
    Files.move(hidden, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes a task, and keeps the same file under another name. */
  private Path keep(String name, String json) throws IOException {
    Path kept = Files.writeString(data.resolve("kept-" + name), json);
    replay(kept, name);
    return kept;
  }

  /**
   * Restores the state after a crash between the execution of a task and the deletion of its file.
   */
  private void replay(Path kept, String name) throws IOException {
    await().atMost(LONG).until(() -> Files.notExists(lead.resolve("tasks/" + name)));
    Files.createLink(lead.resolve("tasks").resolve(name), kept);
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }
}
