package dev.midcourse.proof.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.hub.Hub;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lead and a worker that use only files. The worker is a shell script that polls every half
 * second. The hub is restarted during the test.
 */
@Tag("slow")
class ForeignWorkerTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Takes the task, works until it has read one steer, and then reports the end. */
  private static final String WORKER =
      """
      cd "$1" || exit 1
      put() { printf '%s' "$2" > "$1.part" && mv "$1.part" "$1"; }
      until [ -e input/sync-1-1-1.json ]; do sleep 0.5; done
      rm input/sync-1-1-1.json
      seq=1
      put "progress/sync-1/t-$seq.json" \
        "{\\"kind\\":\\"worker_progress\\",\\"run_id\\":\\"sync-1\\",\\"summary\\":\\"reading files\\",\\"seq\\":$seq}"
      until [ -e steer/sync-1.json ]; do sleep 0.5; done
      steer=$(sed -n 's/.*"steer_id":"\\([^"]*\\)".*/\\1/p' steer/sync-1.json)
      put steer/sync-1.acked.json "{\\"steer_id\\":\\"$steer\\",\\"acked_at\\":\\"now\\"}"
      rm steer/sync-1.json
      seq=2
      put "progress/sync-1/t-$seq.json" \
        "{\\"kind\\":\\"worker_progress\\",\\"run_id\\":\\"sync-1\\",\\"summary\\":\\"with the null case\\",\\"seq\\":$seq}"
      until [ -e ../finish ]; do sleep 0.5; done
      put "progress/sync-1/t-3.json" "$(cat ../result.json)"
      """;

  private static final String DISPATCH =
      """
      {"type": "dispatch", "worker": "jarvis-worker-1", "dispatch": {
       "run_id": "sync-1", "task_type": "test", "context_intent": "fresh", "input": "Say hello.",
       "repo": "acme/shop", "branch": "jarvis-x", "acceptance_tests": ["it answers"],
       "output_contract": {"required_fields": ["run_id", "branch", "commit_sha",
         "files_changed", "test_result", "risk", "pr_skipped_reason"]}}}
      """;

  private static final String RESULT =
      """
      {"kind":"worker_result","run_id":"sync-1","status":"success","result":"Done. \
      <completion>{\\"run_id\\":\\"sync-1\\",\\"branch\\":\\"jarvis-x\\",\\"commit_sha\\":\\"none\\",\
      \\"files_changed\\":[],\\"test_result\\":\\"ok\\",\\"risk\\":\\"none\\",\
      \\"pr_skipped_reason\\":\\"nothing built\\"}</completion>"}
      """;

  @TempDir private Path data;

  @Test
  void a_polling_worker_is_dispatched_followed_steered_and_reviewed_through_files_alone()
      throws Exception {
    Files.writeString(
        data.resolve("midcourse.toml"),
        """
        [workers.jarvis-worker-1]
        agent = "foreign"

        [groups.andy-developer]
        role = "lead"
        workers = ["jarvis-worker-*"]
        """);
    Path lead = data.resolve("ipc/andy-developer");
    Path worker = data.resolve("ipc/jarvis-worker-1");
    Process program;
    try (Hub _ = open()) {
      task(lead, "1-dispatch.json", DISPATCH);
      // If only the folder exists, the next hub starts a second attempt.
      await().atMost(TIMEOUT).until(() -> Files.exists(worker.resolve("input/sync-1-1-1.json")));
      Files.writeString(data.resolve("ipc/result.json"), RESULT);
      program =
          new ProcessBuilder("sh", "-c", WORKER, "worker", worker.toString()).inheritIO().start();
    }
    try (Hub hub = open()) {
      awaitMessage(lead, "[sync-1] ↻ reading files");
      task(
          lead,
          "2-steer.json",
          "{\"type\":\"steer_worker\",\"run_id\":\"sync-1\",\"message\":\"also the null case\"}");
      awaitMessage(lead, "[sync-1] ↗ steer ");
      Steer steer =
          hub.engine().ledger().<List<Steer>>read(r -> r.steers(RunId.of("sync-1"))).getFirst();
      assertThat(steer.rungs()).extracting(RungClaim::rung).contains(Rung.ACCEPTED, Rung.INJECTED);
      Files.createFile(data.resolve("ipc/finish"));
      Run ended = hub.engine().runs().awaitEnd(RunId.of("sync-1"), TIMEOUT);
      assertThat(ended.state()).isEqualTo(RunState.REVIEW_REQUESTED);
      awaitMessage(lead, "■ review_requested");
      Optional<Steer> answered = hub.engine().ledger().read(r -> r.steer(steer.id()));
      assertThat(answered.orElseThrow().ended()).map(end -> end.how()).contains(SteerEnd.ANSWERED);
      task(
          lead,
          "3-review.json",
          "{\"type\":\"review_run\",\"run_id\":\"sync-1\",\"verdict\":\"accept\"}");
      awaitMessage(lead, "\"in_reply_to\":\"3-review.json\"");
      Optional<Run> reviewed = hub.engine().ledger().read(r -> r.run(RunId.of("sync-1")));
      assertThat(reviewed).map(Run::state).contains(RunState.DONE);
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private Hub open() {
    return Hub.start(SettingsFile.read(data).withPort(0));
  }

  private static void task(Path lead, String name, String json) throws IOException {
    Path hidden = lead.resolve("tasks/." + name);
    Files.writeString(hidden, json);
    Files.move(hidden, lead.resolve("tasks").resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void awaitMessage(Path lead, String words) {
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          try (Stream<Path> files = Files.list(lead.resolve("input"))) {
            for (Path file :
                files.filter(f -> !f.getFileName().toString().startsWith(".")).toList()) {
              if (Files.readString(file).contains(words)) {
                return true;
              }
            }
            return false;
          }
        });
  }
}
