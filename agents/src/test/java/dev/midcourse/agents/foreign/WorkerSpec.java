package dev.midcourse.agents.foreign;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.id.RunId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The order for run-1 of the worker whose mailbox is mail/worker. */
final class WorkerSpec {
  private WorkerSpec() {}

  static AttemptSpec under(Path root) {
    return under(root, 1);
  }

  static AttemptSpec under(Path root, int attempt) {
    return new AttemptSpec(
        RunId.of("run-1"),
        attempt,
        "mark",
        root.resolve("attempt" + (attempt == 1 ? "" : attempt)),
        root.resolve("home"),
        root.resolve("workspace"),
        Optional.empty(),
        Map.of(AttemptSpec.WORKER, "worker"));
  }
}
