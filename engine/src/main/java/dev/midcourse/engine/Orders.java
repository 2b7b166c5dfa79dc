package dev.midcourse.engine;

import dev.midcourse.agents.Order;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What a driver is told of a run: where its things are on this host. */
record Orders(EngineSettings settings) {

  Order order(Run run, Attempt attempt) {
    return new Order(
        run.id(),
        attempt.number(),
        attempt.mark(),
        settings.attemptFolder(run.id(), attempt.number()),
        home(run),
        Path.of(run.spec().workspace()),
        attempt.resumes() ? run.session() : Optional.empty(),
        Map.of(Order.WORKER, run.spec().worker().value()));
  }

  /** A worker keeps its home from run to run; runs of no worker in particular have one each. */
  private Path home(Run run) {
    return run.spec().worker().equals(EngineSettings.ANY_WORKER)
        ? settings.runFolder(run.id()).resolve("home")
        : settings.folder().resolve("workers").resolve(run.spec().worker().value()).resolve("home");
  }
}
