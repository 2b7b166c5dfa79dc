package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker that writes more files than the hub can read harms only itself. */
class MailboxFloodTest extends MailboxFixture {
  private static final int STEERS = 900;

  @Test
  @Tag("slow")
  void a_worker_that_writes_ten_thousand_progress_files_delays_no_steer() throws Exception {
    flooded(10_000);
  }

  @Test
  @Tag("long")
  void a_worker_that_writes_a_million_progress_files_delays_no_steer() throws Exception {
    flooded(1_000_000);
  }

  private void flooded(int files) throws Exception {
    started("sync-1");
    String other = rehearsing();
    Path folder = worker.resolve("progress/sync-1");
    CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> flood(folder, files));
    int steers = 0;
    while ((!flood.isDone() && steers < STEERS) || steers < 3) {
      RawClient.Reply steered =
          fixture
              .socket()
              .post(
                  "/api/v1/runs/" + other + "/steers?wait=accepted&timeout=60s",
                  "{\"text\":\"x\"}");
      assertThat(steered.status()).as(steered.body()).isEqualTo(201);
      assertThat(steered.text("rung")).as(steered.body()).isNotEqualTo("stored");
      steers++;
      flood.copy().completeOnTimeout(null, 100, TimeUnit.MILLISECONDS).join();
    }
    flood.join();
    System.out.printf("%d files beside %d steers%n", files, steers);
    assertThat(fixture.socket().get("/api/v1/health").status()).isEqualTo(200);
    assertThat(fixture.socket().post("/api/v1/runs/sync-1/stop", "{}").status()).isEqualTo(202);
    await()
        .atMost(LONG)
        .until(() -> fixture.socket().get("/api/v1/runs/sync-1").text("state").equals("stopped"));
  }

  private String rehearsing() {
    String request = "{\"prompt\":\"$ sleep 600\",\"agent\":\"rehearsal\"}";
    String run = fixture.socket().post("/api/v1/runs", request).text("run_id");
    await()
        .atMost(LONG)
        .until(() -> fixture.socket().get("/api/v1/runs/" + run).json().path("turn").asInt(0) > 0);
    return run;
  }

  private static void flood(Path folder, int files) {
    String start = "2026-03-01T12-00-00-000Z-";
    try {
      for (int i = 1; i <= files; i++) {
        String json =
            i % 3 == 0 ? "{" : "{\"kind\":\"worker_progress\",\"summary\":\"step " + i + "\"}";
        Files.writeString(folder.resolve(start + i + ".json"), json);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
