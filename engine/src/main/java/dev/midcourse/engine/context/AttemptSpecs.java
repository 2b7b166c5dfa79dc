package dev.midcourse.engine.context;

import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.ledger.Ledger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Builds the specification of an attempt for a driver: ids, folders and session on this host. */
public record AttemptSpecs(EngineSettings settings, Ledger ledger) {
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
            Map.of(AttemptSpec.WORKER, run.spec().worker().value()))
        .inConversation(ledger.read(r -> r.chats().addressOf(run.id())).isPresent());
  }

  /**
   * The specification of an attempt that starts. Creates the own folder of the run, or that of its
   * conversation. It is created only now, when the ledger has the run, because the cleanup removes
   * folders that belong to no run.
   */
  public AttemptSpec specWithFolder(Run run, Attempt attempt) {
    Path workspace = Path.of(run.spec().workspace());
    if (workspace.equals(settings.ownWorkspace(run.id()))
        || settings.isConversationFolder(workspace)) {
      try {
        Files.createDirectories(workspace);
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

  /**
   * The runs of a worker share one home. A run without a worker has its own, or that of the run
   * whose session it continues, because an agent finds its sessions by its home.
   */
  private Path home(Run run) {
    return run.spec().worker().equals(EngineSettings.ANY_WORKER)
        ? settings.runFolder(firstOfSession(run)).resolve("home")
        : settings.folder().resolve("workers").resolve(run.spec().worker().value()).resolve("home");
  }

  private RunId firstOfSession(Run run) {
    Run first = run;
    Optional<Run> before = continued(first);
    while (before.isPresent()) {
      first = before.get();
      before = continued(first);
    }
    return first.id();
  }

  private Optional<Run> continued(Run run) {
    return run.spec()
        .parent()
        .filter(_ -> run.spec().session().isPresent())
        .flatMap(parent -> ledger.read(reading -> reading.run(parent)));
  }
}
