package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.ledger.json.JsonCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The order of tasks, and the fate of their answers when they cannot be written. */
class MailboxOrderTest extends MailboxFixture {

  /** Seen to fail when tasks about one run do not wait for each other. */
  @Test
  void tasks_about_one_run_that_are_written_together_are_done_in_the_order_of_their_names()
      throws Exception {
    fixture.close();
    task(
        "1-dispatch.json",
        "{\"type\":\"dispatch\",\"worker\":\"jarvis-worker-2\",\"dispatch\":%s}"
            .formatted(dispatch("sync-1")));
    task("2-steer.json", steer("sync-1", "at once"));
    task("3-stop.json", "{\"type\":\"stop_worker\",\"run_id\":\"sync-1\"}");
    fixture = HubFixture.asTheFileSays(data);
    assertThat(answer("1-dispatch.json").path("kind").asString()).isEqualTo("run");
    assertThat(answer("2-steer.json").path("kind").asString()).isEqualTo("receipt");
    assertThat(answer("3-stop.json").path("kind").asString()).isEqualTo("run");
    assertThat(fixture.end("sync-1")).isEqualTo("stopped");
  }

  /** Seen to fail when messages do not wait for each other. */
  @Test
  void messages_come_in_the_order_of_their_names() throws Exception {
    fixture.close();
    for (int i = 100; i < 200; i++) {
      write(
          lead.resolve("messages"),
          i + ".json",
          JsonCodec.write(Map.of("to", "jarvis-worker-1", "text", "number " + i)));
    }
    fixture = HubFixture.asTheFileSays(data);
    await().atMost(LONG).until(() -> files(worker.resolve("input")).size() == 100);
    List<String> names =
        files(worker.resolve("input")).stream()
            .sorted()
            .map(file -> json(file).path("text").asString())
            .toList();
    assertThat(names).isSorted();
  }

  /** Seen to fail when a task is deleted although its answer was not written. */
  @Test
  void a_task_stays_until_its_answer_could_be_written() throws Exception {
    started("sync-1");
    progress("sync-1", 1, "working");
    Path input = lead.resolve("input");
    Path away = Files.move(input, lead.resolve("input-before"));
    Files.createFile(input);
    task("1.json", steer("sync-1", "use tabs"));
    await().atMost(LONG).until(() -> steers("sync-1").size() == 1);
    task("2.json", steer("sync-1", "use spaces"));
    await().atMost(LONG).until(() -> steers("sync-1").size() == 2);
    assertThat(lead.resolve("tasks/1.json")).exists();
    Files.delete(input);
    Files.move(away, input);
    assertThat(answer("1.json").path("kind").asString()).isEqualTo("receipt");
    await().atMost(LONG).until(() -> Files.notExists(lead.resolve("tasks/1.json")));
    assertThat(steers("sync-1")).hasSize(2);
  }

  /** Seen to fail when answers are written for a group that reads none. */
  @Test
  void the_tasks_of_a_group_that_does_not_read_wait_until_it_does() throws Exception {
    started("sync-1");
    fixture.close();
    for (int i = 0; i < 2_000; i++) {
      Files.createFile(lead.resolve("input/0-" + i + "-notice.json"));
    }
    fixture = HubFixture.asTheFileSays(data);
    task("1.json", steer("sync-1", "use tabs"));
    write(worker.resolve("tasks"), "m.json", "{\"type\":\"message\",\"text\":\"to myself\"}");
    await().atMost(LONG).until(() -> Files.notExists(worker.resolve("tasks/m.json")));
    assertThat(steers("sync-1")).isEmpty();
    assertThat(lead.resolve("tasks/1.json")).exists();
    clear();
    assertThat(answer("1.json").path("kind").asString()).isEqualTo("receipt");
  }

  /** Seen to fail when every message is written for a group that reads none. */
  @Test
  void a_message_for_a_group_that_does_not_read_is_refused() throws Exception {
    fixture.close();
    for (int i = 0; i < 2_000; i++) {
      Files.createFile(worker.resolve("input/0-" + i + "-notice.json"));
    }
    fixture = HubFixture.asTheFileSays(data);
    task("m.json", "{\"type\":\"message\",\"to\":\"jarvis-worker-1\",\"text\":\"hello\"}");
    assertThat(answer("m.json").path("problems").get(0).path("code").asString()).isEqualTo("limit");
    assertThat(files(worker.resolve("input"))).hasSize(2_000);
  }

  private JsonNode answer(String task) {
    return await()
        .atMost(LONG)
        .until(
            () ->
                files(lead.resolve("input")).stream()
                    .filter(file -> !file.getFileName().toString().startsWith("0-"))
                    .map(MailboxFixture::json)
                    .filter(message -> message.path("in_reply_to").asString("").equals(task))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
