package dev.midcourse.engine;

import dev.midcourse.agents.Order;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where things of a run are on this host. Ids have passed their check, so they may be names. */
record Orders(EngineSettings settings) {

  Order order(Run run, Attempt attempt) {
    return new Order(
        run.id(),
        attempt.number(),
        attempt.mark(),
        runFolder(run).resolve("attempt-" + attempt.number()),
        home(run),
        Path.of(run.spec().workspace()),
        attempt.resumes() ? run.session() : Optional.empty(),
        Map.of());
  }

  private Path runFolder(Run run) {
    return settings.folder().resolve("runs").resolve(run.id().value());
  }

  /** A worker keeps its home from run to run; runs of no worker in particular have one each. */
  private Path home(Run run) {
    return run.spec().worker().equals(EngineSettings.ANY_WORKER)
        ? runFolder(run).resolve("home")
        : settings.folder().resolve("workers").resolve(run.spec().worker().value()).resolve("home");
  }
}
