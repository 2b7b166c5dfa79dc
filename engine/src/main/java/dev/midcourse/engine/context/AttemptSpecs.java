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

/** Builds the specification of an attempt for a driver: ids, folders and session on this host. */
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
   * The specification of an attempt that starts. Creates the own folder of the run. It is created
   * only now, when the ledger has the run, because the cleanup removes folders that belong to no
   * run.
   */
  public AttemptSpec specWithFolder(Run run, Attempt attempt) {
    Path own = settings.ownWorkspace(run.id());
    if (own.toString().equals(run.spec().workspace())) {
      try {
        Files.createDirectories(own);
      } catch (IOException e) {
        // The agent does not start without its folder, and the attempt reports the reason.
        LOG.log(
            Level.WARNING,
            "Creating the folder of run {0} failed ({1}). The attempt will fail and be retried.",
            run.id(),
            e.getMessage());
      }
    }
    return spec(run, attempt);
  }

  /** The runs of a worker share one home. A run without a worker has its own. */
  private Path home(Run run) {
    return run.spec().worker().equals(EngineSettings.ANY_WORKER)
        ? settings.runFolder(run.id()).resolve("home")
        : settings.folder().resolve("workers").resolve(run.spec().worker().value()).resolve("home");
  }
}
