package dev.midcourse.engine;

import dev.midcourse.agents.git.Checkout;
import dev.midcourse.agents.git.Patch;
import dev.midcourse.agents.git.Repository;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.ContextIntent;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.ledger.RunQuery;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Gives each dispatched run a checkout on its branch. No two live runs ever share one; one whose
 * work waits for a review is only given to the run that goes on with that work.
 */
final class Checkouts {
  private static final Logger LOG = System.getLogger(Checkouts.class.getName());
  private static final int MOST_AT_ONE_PLACE = 100;
  private static final Set<RunState> HOLDING =
      Set.of(RunState.QUEUED, RunState.RUNNING, RunState.REVIEW_REQUESTED);

  private final Parts parts;

  /** Guards the folder of checkouts: one at a time finds, makes or lets go of one. */
  private final ReentrantLock oneAtATime = new ReentrantLock();

  Checkouts(Parts parts) {
    this.parts = parts;
  }

  /** Does this while nobody else makes or lets go of a checkout. */
  <T> T alone(Supplier<T> work) {
    oneAtATime.lock();
    try {
      return work.get();
    } finally {
      oneAtATime.unlock();
    }
  }

  /** The folder in which the run is to work. */
  String prepare(Dispatch asked, Lane lane, Optional<Run> earlier) {
    if (asked.noCode()) {
      return parts.settings().ownWorkspace(asked.runId()).toString();
    }
    Repository repository = Repository.in(lane.workspace(), asked.repo());
    Optional<Path> holder = repository.checkoutOf(asked.branch());
    Path at = holder.orElseGet(() -> place(asked, earlier));
    if (Files.isDirectory(at)) {
      refuseIfTaken(at, asked, earlier);
      if (asked.contextIntent() == ContextIntent.FRESH) {
        new Checkout(at).reset();
      }
    }
    Checkout checkout =
        holder.isPresent()
            ? new Checkout(at)
            : repository.checkOut(at, asked.branch(), asked.baseBranch());
    checkout.markStart(asked.runId(), true);
    return checkout.folder().toString();
  }

  /** A session is at home where it worked; a new one gets a folder named after its run. */
  private Path place(Dispatch asked, Optional<Run> earlier) {
    return earlier
        .map(run -> Path.of(run.spec().workspace()))
        .filter(path -> path.startsWith(folder()) && Files.notExists(path))
        .orElseGet(() -> folder().resolve(asked.runId().value()));
  }

  private Path place() {
    return parts.settings().folder().resolve("worktrees");
  }

  private Path folder() {
    try {
      return Files.createDirectories(place()).toRealPath();
    } catch (IOException e) {
      throw new RefusedException(noFolder(e), e);
    }
  }

  private static Problem noFolder(IOException e) {
    return Problem.of(
        Code.UNAVAILABLE, "repo", "a folder that can be made", "no checkout: " + e.getMessage());
  }

  private void refuseIfTaken(Path at, Dispatch asked, Optional<Run> earlier) {
    if (!at.startsWith(folder())) {
      throw taken(asked, "it is checked out at " + at + ", which is not a run's");
    }
    String workspace = at.toString();
    RunQuery holding = RunQuery.newest(MOST_AT_ONE_PLACE).in(HOLDING).at(workspace);
    Optional<Run> by =
        parts.ledger().read(r -> r.runs(holding)).stream()
            .filter(run -> run.state().live() || !goesOnWith(run, asked, earlier))
            .findFirst();
    by.ifPresent(run -> {
      throw taken(asked, "run " + run.id() + " has it and is " + run.state().wire());
    });
  }

  private static boolean goesOnWith(Run run, Dispatch asked, Optional<Run> earlier) {
    return earlier.map(Run::id).equals(Optional.of(run.id()))
        || asked.parentRunId().equals(Optional.of(run.id()));
  }

  private static RefusedException taken(Dispatch asked, String why) {
    return Problem.of(
            Code.DUPLICATE,
            "branch",
            "a branch that nobody works on",
            "branch " + asked.branch() + " is taken: " + why)
        .refused();
  }

  /**
   * Lets go of the checkout of a run whose work was taken; branch and commits stay. The review is
   * kept already: a checkout that cannot be let go now is said to stay, and is left for {@link
   * #releaseLeft}.
   */
  void release(Run run) {
    try {
      alone(() -> released(run));
    } catch (RefusedException e) {
      LOG.log(Level.WARNING, "run {0} is done, its checkout stays: {1}", run.id(), e.getMessage());
    }
  }

  /** Unless another run has it by now. */
  private boolean released(Run run) {
    Path workspace = Path.of(run.spec().workspace());
    boolean its =
        workspace.startsWith(folder())
            && Files.isDirectory(workspace)
            && newestAt(workspace).filter(newest -> newest.id().equals(run.id())).isPresent();
    if (its) {
      new Checkout(workspace).remove(run.id());
    }
    return its;
  }

  private Optional<Run> newestAt(Path workspace) {
    RunQuery newest = RunQuery.newest(1).at(workspace.toString());
    return parts.ledger().read(r -> r.runs(newest)).stream().findFirst();
  }

  /** Lets go of the checkouts that stayed when the work in them was taken. */
  void releaseLeft() {
    if (!Files.isDirectory(place())) {
      return;
    }
    try (Stream<Path> found = Files.list(folder())) {
      found
          .flatMap(path -> newestAt(path).stream())
          .filter(run -> run.state() == RunState.DONE)
          .forEach(this::release);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "checkouts were not looked through: {0}", e.getMessage());
    }
  }

  /** The next run goes on where this one ended. */
  void handOn(Run run, RunId next) {
    Path workspace = Path.of(run.spec().workspace());
    if (workspace.startsWith(folder()) && Files.isDirectory(workspace)) {
      new Checkout(workspace).markStart(next, true);
    }
  }

  /** What the run has changed so far, as a patch. */
  Patch diff(Run run) {
    Path workspace = Path.of(run.spec().workspace());
    if (!workspace.startsWith(folder()) || !Files.isDirectory(workspace)) {
      throw Problem.of(
              Code.NOT_FOUND,
              "run_id",
              "a run with a checkout of its own",
              "run " + run.id() + " has no checkout, or it was let go after its review")
          .refused();
    }
    return new Checkout(workspace).diff(run.id());
  }
}
