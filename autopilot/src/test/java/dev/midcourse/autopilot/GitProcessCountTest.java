package dev.midcourse.autopilot;

import static dev.midcourse.autopilot.AutopilotFixture.commits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopReviewer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The git processes of the hub in one round of a loop. Each costs some milliseconds, and most of
 * the time of a round that belongs to neither agent nor CI. The JDK records each process that it
 * starts.
 */
class GitProcessCountTest {
  /** One for the old checkout of CI, eight to read the branch, two for the new checkout of CI. */
  private static final int USUAL = 11;

  private static final int MAX_MORE = 1;

  /** Seen to fail when the branch is read twice at the end of a fix. */
  @Test
  void a_round_of_fix_and_ci_starts_few_git_processes(@TempDir Path folder) throws Exception {
    try (AutopilotFixture fixture = new AutopilotFixture(folder);
        Recording recording = new Recording()) {
      Path began = fixture.folder.resolve("began");
      Path gate = fixture.folder.resolve("gate");
      String ci =
          "echo x >> %s; while [ ! -e %s ]; do sleep 0.05; done; rm %s; grep -q right app.txt"
              .formatted(began, gate, gate);
      Loop loop =
          fixture.loops.create(
              fixture.order(
                  "Write it.\n" + commits("app.txt", "wrong"),
                  new LoopReviewer.Nobody(),
                  Optional.of(ci)),
              AutopilotFixture.ANNA);
      await().until(() -> runsOfCi(began) == 1);
      fixture.steer(loop, GuidanceScope.NOW, "Do this:\n" + commits("app.txt", "right"));

      recording.enable("jdk.ProcessStart").withoutStackTrace();
      recording.start();
      Files.createFile(gate);
      await().until(() -> runsOfCi(began) == 2);
      await().until(() -> Files.notExists(fixture.folder.resolve("loops/" + loop.id() + "/ci-2")));
      recording.stop();

      assertThat(gitProcesses(recording, folder.resolve("processes.jfr")))
          .hasSizeBetween(2, USUAL + MAX_MORE);
    }
  }

  private static int runsOfCi(Path began) throws Exception {
    return Files.exists(began) ? Files.readAllLines(began).size() : 0;
  }

  private static List<String> gitProcesses(Recording recording, Path file) throws Exception {
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .map(event -> event.getString("command"))
        .filter(command -> command.startsWith("git ") || command.contains(" git --no-pager "))
        .toList();
  }
}
