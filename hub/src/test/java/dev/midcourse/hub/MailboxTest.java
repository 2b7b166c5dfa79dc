package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Leads and workers that use files, and hostile files. */
class MailboxTest extends MailboxFixture {
  @Test
  void a_foreign_worker_takes_its_task_says_what_it_does_and_is_steered() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "reading files");
    awaitMessage(
        "notice", message -> message.path("text").asString().equals("[sync-1] ↻ reading files"));
    task("one.json", steer("sync-1", "also the null case"));
    JsonNode stored = awaitMessage("receipt", message -> message.has("in_reply_to"));
    assertThat(stored.path("in_reply_to").asString()).isEqualTo("one.json");
    assertThat(lead.resolve("tasks/one.json")).doesNotExist();
    JsonNode lying = awaitSteer("sync-1");
    assertThat(lying.path("kind").asString()).isEqualTo("worker_steer");
    assertThat(lying.path("from_group").asString()).isEqualTo("andy-developer");
    assertThat(lying.path("attempt").asInt()).isEqualTo(1);
    assertThat(lying.path("message").asString()).contains("also the null case");
    assertThat(fixture.socket().get("/api/v1/metrics").body())
        .as("it is timed like any other")
        .contains("midcourse_hop_seconds_count{hop=\"request_to_durable\"} 1\n");
    ack("sync-1", lying.path("steer_id").asString(), "");
    awaitReceipt("accepted");
    progress("sync-1", 2, "going on");
    awaitReceipt("injected");
    result("sync-1", 3, completion("sync-1"));
    awaitReceipt("answered");
    assertThat(fixture.end("sync-1")).isEqualTo("review_requested");
  }

  /** Seen to fail when the task in the documentation uses another name for its text. */
  @Test
  void the_task_of_the_page_for_leads_steers_its_run() throws Exception {
    Path clone = Files.createDirectories(data.resolve("repos/acme/shop"));
    String first =
        "git init -q && git -c user.name=W -c user.email=w@example.org commit -q --allow-empty -m a";
    Process git = new ProcessBuilder("sh", "-c", first).directory(clone.toFile()).start();
    assertThat(git.waitFor()).isZero();
    String page =
        Files.readString(
            Path.of(System.getProperty("midcourse.root", ".."), "docs", "steering.md"));
    String task = page.split("```json task\n", 2)[1].split("```", 2)[0];
    started("run-20260301-042");
    task("page.json", task);
    assertThat(awaitSteer("run-20260301-042").path("message").asString())
        .contains("also handle the null case in the error path");
    JsonNode stored = awaitMessage("receipt", message -> message.has("in_reply_to"));
    assertThat(stored.path("in_reply_to").asString()).isEqualTo("page.json");
  }

  @Test
  void of_three_steers_the_newest_is_read_and_the_others_are_superseded_and_never_pending()
      throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    for (String text : List.of("one", "two", "three")) {
      task(text + ".json", steer("sync-1", text));
      await().atMost(LONG).until(() -> Files.notExists(lead.resolve("tasks/" + text + ".json")));
    }
    await()
        .atMost(LONG)
        .until(() -> awaitSteer("sync-1").path("message").asString().contains("three"));
    ack("sync-1", awaitSteer("sync-1").path("steer_id").asString(), "2026-03-01T12:00:00Z");
    await()
        .atMost(LONG)
        .untilAsserted(() ->
            assertThat(steers("sync-1"))
                .extracting(it -> it.path("ended").asString(""))
                .startsWith("superseded", "superseded"));
  }

  @Tag("slow")
  @Test
  void an_unread_steer_expires_with_the_run_and_its_file_is_deleted() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    task("late.json", steer("sync-1", "too late"));
    awaitSteer("sync-1");
    task("stop.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}");
    assertThat(fixture.end("sync-1")).isEqualTo("stopped");
    assertThat(steers("sync-1").getFirst().path("ended").asString()).isEqualTo("expired");
    assertThat(worker.resolve("steer/sync-1.json")).doesNotExist();
    assertThat(worker.resolve("input/sync-1-1-stop.json")).exists();
  }

  /**
   * Seen to fail when the file stays after the worker ended its turn, because the worker would read
   * it again.
   */
  @Test
  void a_steer_unread_at_the_end_of_a_turn_opens_the_next_once() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    task("late.json", steer("sync-1", "too late"));
    awaitSteer("sync-1");
    result("sync-1", 2, completion("sync-1"));
    Path next = worker.resolve("input/sync-1-1-2.json");
    await().atMost(LONG).until(() -> Files.exists(next));
    assertThat(json(next).path("prompt").asString()).contains("too late");
    assertThat(worker.resolve("steer/sync-1.json")).doesNotExist();
    Files.delete(next);
    result("sync-1", 3, completion("sync-1"));
    awaitMessage("receipt", it -> it.path("receipt").path("ended").asString().equals("carried"));
    assertThat(fixture.end("sync-1")).isEqualTo("review_requested");
  }

  @Test
  void a_steer_is_withdrawn_by_a_task_and_its_file_is_gone() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    task("one.json", steer("sync-1", "use tabs"));
    String id = awaitSteer("sync-1").path("steer_id").asString();
    task("back.json", "{\"type\":\"withdraw_steer\",\"steer_id\":\"" + id + "\"}");
    JsonNode answer =
        awaitMessage("receipt", it -> it.path("in_reply_to").asString().equals("back.json"));
    assertThat(answer.path("receipt").path("ended").asString()).isEqualTo("withdrawn");
    assertThat(worker.resolve("steer/sync-1.json")).doesNotExist();
  }

  @Test
  void a_lead_writes_to_its_worker_and_the_worker_only_to_itself() throws Exception {
    task("m.json", "{\"type\":\"message\",\"to\":\"jarvis-worker-1\",\"text\":\"good morning\"}");
    awaitMessage("sent", it -> it.path("to").asString().equals("jarvis-worker-1"));
    assertThat(files(worker.resolve("input")))
        .singleElement()
        .satisfies(file -> {
          assertThat(json(file).path("from_group").asString()).isEqualTo("andy-developer");
          assertThat(json(file).path("text").asString()).isEqualTo("good morning");
        });
    write(worker.resolve("messages"), "m.json", "{\"to\":\"andy-developer\",\"text\":\"hi\"}");
    await().atMost(LONG).until(() -> Files.notExists(worker.resolve("messages/m.json")));
    assertThat(messages("message")).isEmpty();
  }

  /** Seen to fail when a task may be of any size. */
  @Test
  void a_task_that_is_too_large_is_put_aside_unread() throws Exception {
    started("sync-1");
    task("large.json", steer("sync-1", "x".repeat(600_000)));
    await()
        .atMost(LONG)
        .until(() -> Files.exists(lead.resolve("errors/tasks-large.json.reason.txt")));
    assertThat(lead.resolve("errors/tasks-large.json.reason.txt")).content().contains("larger");
    assertThat(steers("sync-1")).isEmpty();
  }

  @Test
  void every_refusal_comes_back_and_changes_nothing() throws Exception {
    started("sync-1");
    for (String wrong :
        List.of(
            "{\"type\":\"steer_worker\",\"run_id\":\"sync-1\",\"message\":\" \"}",
            "{\"type\":\"steer_worker\",\"run_id\":\"sync-1\",\"message\":{\"a\":1}}",
            "{\"type\":\"steer_worker\",\"message\":\"no run\"}",
            "{\"type\":\"steer_worker\",\"run_id\":\"unknown\",\"message\":\"x\"}",
            "{\"type\":\"steer_worker\",\"run_id\":\"../../other/tasks/x\",\"message\":\"x\"}",
            "{\"type\":\"dance\"}",
            "{\"type\":\"message\",\"to\":\"main\",\"text\":\"hello\"}")) {
      task("wrong.json", wrong);
      JsonNode refusal =
          awaitMessage(
              "refusal", message -> message.path("in_reply_to").asString().equals("wrong.json"));
      assertThat(refusal.path("problems").size()).as(wrong).isPositive();
      clear();
    }
    assertThat(steers("sync-1")).isEmpty();
  }

  /**
   * Seen to fail when ForeignFiles does not compare the run with the worker's own, and when a steer
   * from a mailbox needs no permission.
   */
  @Test
  void t26_t29_a_worker_cannot_steer_and_cannot_write_for_another_run() throws Exception {
    started("sync-1");
    Files.writeString(worker.resolve("tasks/x.json"), steer("sync-1", "me too"));
    await().atMost(LONG).until(() -> Files.notExists(worker.resolve("tasks/x.json")));
    assertThat(steers("sync-1")).isEmpty();
    write(
        worker.resolve("progress/sync-1"),
        "t-1.json",
        "{\"kind\":\"worker_progress\",\"run_id\":\"other\",\"summary\":\"spoof\",\"seq\":1}");
    await().atMost(LONG).until(() -> reason("sync-1-t-1.json").isPresent());
    assertThat(reason("sync-1-t-1.json").orElseThrow()).contains("speaks for run other");
  }

  /** Seen to fail when an unreadable task stays, and when an incomplete one does not. */
  @Test
  void t20_a_half_written_task_is_waited_for_and_a_corrupt_one_is_put_aside_with_a_reason()
      throws Exception {
    started("sync-1");
    Path half = lead.resolve("tasks/half.json");
    String whole = steer("sync-1", "in two pieces");
    Files.writeString(half, whole.substring(0, 20));
    Files.setLastModifiedTime(half, FileTime.from(Instant.now().plus(LONG)));
    Path junk = Files.writeString(lead.resolve("tasks/junk.json"), "{]");
    Files.setLastModifiedTime(junk, FileTime.fromMillis(1));
    await().atMost(LONG).until(() -> Files.exists(lead.resolve("errors/tasks-junk.json")));
    assertThat(half).exists();
    Files.writeString(half, whole);
    await().atMost(LONG).until(() -> !steers("sync-1").isEmpty());
    assertThat(lead.resolve("errors/tasks-half.json")).doesNotExist();
  }

  /** Seen to fail when a file is looked up by the text of its name only: it stays for ever. */
  @Test
  void a_task_whose_name_is_not_utf_8_is_put_aside_with_a_reason() throws Exception {
    Process made =
        new ProcessBuilder("bash", "-c", "echo '{}' > \"$0\"/$'bad\\xff\\e.json'", tasks())
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
    await().atMost(LONG).until(() -> reasons().anyMatch(it -> it.contains("is not UTF-8")));
    assertThat(reasons())
        .singleElement()
        .isEqualTo("its name is not UTF-8: bad\ufffd⟨U+001B⟩.json\n");
    try (Stream<Path> left = Files.list(lead.resolve("tasks"))) {
      assertThat(left).isEmpty();
    }
  }

  private String tasks() {
    return lead.resolve("tasks").toString();
  }

  private Stream<String> reasons() throws IOException {
    Path errors = lead.resolve("errors");
    if (Files.notExists(errors)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.list(errors)) {
      return files
          .filter(file -> file.toString().endsWith(".reason.txt"))
          .map(MailboxTest::content)
          .toList()
          .stream();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void no_link_is_followed_neither_in_nor_out() throws Exception {
    Path outside = data.resolve("outside.json");
    Files.writeString(outside, "{\"type\":\"message\",\"text\":\"secret\"}");
    Files.createSymbolicLink(lead.resolve("tasks/link.json"), outside);
    await()
        .atMost(LONG)
        .until(() -> Files.exists(lead.resolve("errors/tasks-link.json.reason.txt")));
    assertThat(outside).exists();
    started("sync-1");
    Files.createSymbolicLink(worker.resolve("steer/sync-1.json.tmp"), outside);
    progress("sync-1", 1, "working");
    task("one.json", steer("sync-1", "hello"));
    awaitSteer("sync-1");
    assertThat(Files.readString(outside)).contains("secret");
  }

  /** Seen to fail when the path to a folder follows links. */
  @Test
  void a_steer_is_not_written_through_a_link_that_replaced_its_folder() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    Path folder = worker.resolve("steer");
    Path kept = Files.move(folder, worker.resolve("steer-before"));
    Path elsewhere = Files.createDirectory(data.resolve("elsewhere"));
    Files.createSymbolicLink(folder, elsewhere);
    CountDownLatch tried = new CountDownLatch(1);
    Logger log = Logger.getLogger("dev.midcourse.agents.foreign.ForeignAgent");
    Filter before = log.getFilter();
    log.setFilter(entry -> {
      if (entry.getMessage().contains("cannot be written")) {
        tried.countDown();
      }
      return true;
    });
    try {
      task("one.json", steer("sync-1", "hello"));
      assertThat(tried.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      log.setFilter(before);
    }
    assertThat(elsewhere).isEmptyDirectory();
    Files.delete(folder);
    Files.move(kept, folder);
    assertThat(awaitSteer("sync-1").path("message").asString()).contains("hello");
  }

  /** Seen to fail when the path to the mailboxes follows no link. */
  @Test
  void the_mailboxes_may_lie_elsewhere_behind_a_link(@TempDir Path elsewhere) throws Exception {
    fixture.close();
    Path moved = Files.move(data.resolve("ipc"), elsewhere.resolve("ipc"));
    Files.createSymbolicLink(data.resolve("ipc"), moved);
    fixture = HubFixture.asTheFileSays(data);
    started("sync-1");
    task("1.json", steer("sync-1", "use tabs"));
    assertThat(awaitSteer("sync-1").path("message").asString()).contains("use tabs");
    awaitReceipt("offered");
  }
}
