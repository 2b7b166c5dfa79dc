package dev.midcourse.engine.context;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What a driver is told of a run: where its things are on this host. */
public record AttemptSpecs(EngineSettings settings) {
  private static final Logger LOG = System.getLogger(AttemptSpecs.class.getName());

  public AttemptSpec spec(Run run, Attempt attempt) {
    return new AttemptSpec(
        run.id(),
        attempt.number(),
        attempt.mark(),
        settings.attemptFolder(run.id(), attempt.number()),
        home(run),
        Path.of(run.spec().workspace()),
        attempt.resumes() ? run.session() : Optional.empty(),
        Map.of(AttemptSpec.WORKER, run.spec().worker().value()));
  }

  /**
   * The same for an attempt that is to begin. A folder of the run's own is made only now, when the
   * ledger has the run: whoever clears away takes a folder without a run for nobody's.
   */
  public AttemptSpec specWithFolder(Run run, Attempt attempt) {
    Path own = settings.ownWorkspace(run.id());
    if (own.toString().equals(run.spec().workspace())) {
      try {
        Files.createDirectories(own);
      } catch (IOException e) {
        // Without its folder the agent does not start, and the attempt says why.
        LOG.log(Level.WARNING, "run {0} has no folder: {1}", run.id(), e.getMessage());
      }
    }
    return spec(run, attempt);
  }

  /** A worker keeps its home from run to run; runs of no worker in particular have one each. */
  private Path home(Run run) {
    return run.spec().worker().equals(EngineSettings.ANY_WORKER)
        ? settings.runFolder(run.id()).resolve("home")
        : settings.folder().resolve("workers").resolve(run.spec().worker().value()).resolve("home");
  }
}
