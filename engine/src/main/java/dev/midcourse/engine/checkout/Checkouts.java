package dev.midcourse.engine.checkout;

import dev.midcourse.agents.git.Checkout;
import dev.midcourse.agents.git.CheckoutRepair;
import dev.midcourse.agents.git.Patch;
import dev.midcourse.agents.git.Repository;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.ContextIntent;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.CheckoutOccupancy;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.queue.ReviewTransaction;
import dev.midcourse.ledger.Transaction;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives each dispatched run a checkout on its branch. Two live runs never share one. A checkout
 * whose work waits for a review goes only to the run that continues that work.
 */
public final class Checkouts {
  private static final Logger LOG = System.getLogger(Checkouts.class.getName());
  private static final Set<RunState> ANY_STATE = EnumSet.allOf(RunState.class);

  private final EngineContext context;

  /** Guards who has which checkout: held from the check until the ledger has the result. */
  private final ReentrantLock oneAtATime = new ReentrantLock();

  public Checkouts(EngineContext context) {
    this.context = context;
  }

  /** Runs the action while no other thread assigns or removes a checkout. */
  public <T> T alone(Supplier<T> act) {
    oneAtATime.lock();
    try {
      return act.get();
    } finally {
      oneAtATime.unlock();
    }
  }

  /** Runs the action that queues a run for this folder; alone, when the folder is a checkout. */
  public <T> T enterAlone(String workspace, Supplier<T> act) {
    return isCheckout(workspace) ? alone(act) : act.get();
  }

  /**
   * Part of the transaction that queues a run: refuses a run whose checkout another run has. Work
   * in the checkout that waits for a review, and that the run continues, is reviewed by that.
   */
  public void enter(Transaction tx, RunId id, RunSpec spec, Instant now) {
    if (!isCheckout(spec.workspace())) {
      return;
    }
    List<Run> there = tx.runsIn(spec.workspace(), CheckoutOccupancy.HOLDING);
    switch (CheckoutOccupancy.of(id, spec.session(), spec.parent(), there)) {
      case CheckoutOccupancy.Occupancy.Taken(Run by) ->
          throw Problem.of(
                  Code.DUPLICATE,
                  "dir",
                  "a free checkout",
                  "the checkout " + spec.workspace() + " is taken: " + has(by))
              .refused();
      case CheckoutOccupancy.Occupancy.Free(List<Run> reworked) -> {
        for (Run run : reworked) {
          ReviewTransaction.close(
              tx, run.id(), "rework", "continued by run " + id, spec.author(), now);
        }
      }
    }
  }

  /** Refuses the retry of a run whose checkout was removed. */
  public void refuseIfGone(Run run) {
    Path workspace = Path.of(run.spec().workspace());
    if (isCheckout(workspace.toString()) && !Files.isDirectory(workspace)) {
      throw Problem.invalid(
              "run_id",
              "a run whose checkout is there",
              "the checkout of run " + run.id() + " was removed: dispatch it again")
          .refused();
    }
  }

  /**
   * Whether this folder is a checkout. Refuses a folder within a checkout: it belongs to the run
   * that has the checkout.
   */
  private boolean isCheckout(String workspace) {
    Path path = Path.of(workspace);
    Path all = real(worktrees());
    Path real = real(path);
    if (!real.startsWith(all)) {
      return false;
    }
    if (!path.equals(real) || real.getNameCount() != all.getNameCount() + 1) {
      throw Problem.invalid(
              "dir",
              "no folder within the checkout of a run",
              workspace + " lies within the checkouts of runs")
          .refused();
    }
    return true;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException notThere) {
      return path.normalize();
    }
  }

  private static String has(Run run) {
    return "run " + run.id() + " uses it and is " + run.state().wire();
  }

  /** Prepares the folder in which the run is to work. */
  public String prepare(Dispatch asked, Path clones, Optional<Run> earlier) {
    if (asked.noCode()) {
      return made(context.settings().runFolder(asked.runId()).resolve("work")).toString();
    }
    Repository repository = Repository.in(clones, asked.repo());
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
    checkout.markStart(asked.runId(), !isRetryOfSameWork(asked, at));
    return checkout.folder().toString();
  }

  /**
   * Whether this is a retry of a run at the same work, and no other run has worked there since.
   * Such a run starts where its first try started, because the commits of that try are its work
   * too.
   */
  private boolean isRetryOfSameWork(Dispatch asked, Path at) {
    return context
        .ledger()
        .read(r ->
            r.run(asked.runId())
                .filter(before -> before.spec().workspace().equals(at.toString()))
                .filter(before ->
                    StoredDispatch.of(before.spec()).filter(asked::sharesBranchWith).isPresent())
                .filter(before ->
                    r.runsIn(at.toString(), ANY_STATE).stream()
                        .noneMatch(other -> startedAfter(other, before))))
        .isPresent();
  }

  private static boolean startedAfter(Run other, Run before) {
    Instant end = before.endedAt().orElse(before.createdAt());
    return !other.id().equals(before.id()) && other.startedAt().filter(end::isBefore).isPresent();
  }

  /**
   * A session continues in the folder where it worked. A new one gets a folder with the name of its
   * run.
   */
  private Path place(Dispatch asked, Optional<Run> earlier) {
    return earlier
        .map(run -> Path.of(run.spec().workspace()))
        .filter(path -> path.startsWith(folder()) && Files.notExists(path))
        .orElseGet(() -> folder().resolve(asked.runId().value()));
  }

  private Path folder() {
    try {
      return made(worktrees()).toRealPath();
    } catch (IOException e) {
      throw new RefusedException(noFolder(e), e);
    }
  }

  private Path worktrees() {
    return context.settings().folder().resolve("worktrees");
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
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
      throw taken(asked, "it is checked out at " + at + ", which belongs to no run");
    }
    List<Run> there =
        context.ledger().read(r -> r.runsIn(at.toString(), CheckoutOccupancy.HOLDING));
    Optional<SessionId> session = earlier.flatMap(Run::session);
    switch (CheckoutOccupancy.of(asked.runId(), session, asked.parentRunId(), there)) {
      case CheckoutOccupancy.Occupancy.Taken(Run by) -> throw taken(asked, has(by));
      case CheckoutOccupancy.Occupancy.Free _ -> {}
    }
  }

  private static RefusedException taken(Dispatch asked, String why) {
    return Problem.of(
            Code.DUPLICATE,
            "branch",
            "a free branch",
            "branch " + asked.branch() + " is taken: " + why)
        .refused();
  }

  /**
   * Removes the checkout of a run whose work was accepted, unless another run has it by now. Branch
   * and commits stay. The review is durable already, so a checkout that cannot be removed now is
   * left for {@link #releaseRemaining}.
   */
  public void release(Run run) {
    try {
      alone(() -> released(run));
    } catch (RefusedException e) {
      LOG.log(
          Level.WARNING,
          "Removing the checkout of run {0} failed ({1}). The run is done; the removal is retried later.",
          run.id(),
          e.getMessage());
    }
  }

  private boolean released(Run run) {
    Path workspace = Path.of(run.spec().workspace());
    if (!workspace.startsWith(folder()) || !Files.isDirectory(workspace)) {
      return false;
    }
    List<Run> its = runsIn(workspace);
    boolean free = its.stream().noneMatch(it -> CheckoutOccupancy.HOLDING.contains(it.state()));
    if (free) {
      Set<RunId> marks = its.stream().map(Run::id).collect(Collectors.toSet());
      new Checkout(workspace).remove(marks::contains);
    }
    return free;
  }

  /** Oldest first. */
  private List<Run> runsIn(Path workspace) {
    return context.ledger().read(r -> r.runsIn(workspace.toString(), ANY_STATE));
  }

  /** Removes the checkouts that could not be removed when their work was accepted. */
  public void releaseRemaining() {
    for (Path checkout : listed(real(worktrees()))) {
      List<Run> its = runsIn(checkout);
      if (!its.isEmpty() && its.getLast().state() == RunState.DONE) {
        release(its.getLast());
      }
    }
  }

  /** Removes the checkouts and the start marks of runs that the ledger does not have any more. */
  public void removeUnknown() {
    alone(() -> {
      for (Path checkout : listed(real(worktrees()))) {
        if (runsIn(checkout).isEmpty()) {
          remove(checkout);
        }
      }
      return this;
    });
  }

  private static List<Path> listed(Path folder) {
    try (Stream<Path> found = Files.list(folder)) {
      return found.toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  private void remove(Path checkout) {
    try {
      new Checkout(checkout).remove(run -> context.ledger().read(r -> r.run(run)).isEmpty());
    } catch (RefusedException failed) {
      LOG.log(
          Level.WARNING,
          "Removing the checkout {0}, which belongs to no run, failed: {1}. The removal is retried later.",
          checkout,
          failed.description());
    }
  }

  /** Marks the start of the next run where this one ended. */
  public void markNextStart(Run run, RunId next) {
    Path workspace = Path.of(run.spec().workspace());
    if (workspace.startsWith(folder()) && Files.isDirectory(workspace)) {
      new Checkout(workspace).markStart(next, true);
    }
  }

  /**
   * Repairs the checkout of the run and its clone.
   *
   * @return one sentence for each file that was put aside
   */
  public List<String> repair(Run run, Path clones) {
    Path workspace = Path.of(run.spec().workspace());
    return alone(() ->
        StoredDispatch.of(run.spec())
            .filter(asked -> !asked.noCode())
            .map(asked -> CheckoutRepair.repair(workspace, Repository.in(clones, asked.repo())))
            .orElseGet(() -> CheckoutRepair.repairClone(workspace)));
  }

  /**
   * The changes of the run so far, as a patch; empty if the run has no checkout of its own, or if
   * it was removed after its review.
   */
  public Optional<Patch> diff(Run run) {
    Path workspace = Path.of(run.spec().workspace());
    if (!workspace.startsWith(folder()) || !Files.isDirectory(workspace)) {
      return Optional.empty();
    }
    Optional<BranchName> branch = StoredDispatch.of(run.spec()).map(Dispatch::branch);
    try {
      return Optional.of(new Checkout(workspace).diff(run.id(), branch));
    } catch (RefusedException tampered) {
      throw RepairHint.naming(run.id(), tampered);
    }
  }
}
