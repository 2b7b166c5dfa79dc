package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.step.LoopFact;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Carries the acts of one loop out that need its forge. What a forge does not do for a while is
 * tried again later; what it refuses is a fact for the loop.
 */
final class ForgeWorker {
  private static final Logger LOG = System.getLogger(ForgeWorker.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

  private final LoopParts parts;
  private final LoopActor.FactListener listener;
  private final Consumer<LoopId> resume;
  private final ForgeBranches branches;
  private final ForgeOutbox outbox;

  /**
   * @param resume goes on with a loop later
   */
  ForgeWorker(LoopParts parts, LoopActor.FactListener listener, Consumer<LoopId> resume) {
    this.parts = parts;
    this.listener = listener;
    this.resume = resume;
    this.branches = new ForgeBranches(parts);
    this.outbox = new ForgeOutbox(parts);
  }

  private interface ForgeWork {
    Optional<LoopFact> now() throws ForgeException, InterruptedException;
  }

  /** Proves the credentials, before anything is done. Returns whether the loop can go on. */
  boolean signIn(Loop loop) throws InterruptedException {
    ForgeOrder order = loop.spec().forge().orElseThrow();
    return perform(
        loop,
        () -> {
          Forge forge = parts.forges().open(order.name(), order.project());
          String login = forge.signIn();
          Optional<ChangeRef> adopted = Optional.empty();
          if (order.adopt().isPresent()) {
            adopted = Optional.of(forge.find(order.adopt().get()));
            branches.adoptBranch(loop);
          }
          return Optional.of(new LoopFact.SignedIn(login, adopted));
        });
  }

  void push(Loop loop, String head) throws InterruptedException {
    boolean _ = perform(loop, () -> Optional.of(branches.push(loop, head)));
  }

  void sync(Loop loop) throws InterruptedException {
    boolean _ = perform(loop, () -> Optional.of(branches.sync(loop)));
  }

  void takeRemote(Loop loop) throws InterruptedException {
    boolean _ = perform(loop, () -> Optional.of(branches.takeRemote(loop)));
  }

  /** Performs the acts of the outbox that are due. */
  void write(Loop loop) throws InterruptedException {
    outbox.perform(loop, listener).ifPresent(later -> retryAt(loop.id(), later));
  }

  private boolean perform(Loop loop, ForgeWork work) throws InterruptedException {
    try {
      work.now().ifPresent(fact -> listener.onFact(loop.id(), fact));
      return true;
    } catch (ForgeException e) {
      failed(loop, e.error());
    } catch (RefusedException e) {
      refused(loop, e.problem());
    }
    return false;
  }

  private void failed(Loop loop, ForgeError error) {
    switch (error) {
      case ForgeError.Limited(_, Instant until) -> retryAt(loop.id(), until);
      case ForgeError.Outage _, ForgeError.Conflict _ -> retryLater(loop, error.message());
      case ForgeError.Unauthorized _,
          ForgeError.Forbidden _,
          ForgeError.NotFound _,
          ForgeError.Invalid _ -> {
        boolean preparing = loop.phase() == LoopPhase.PREPARE;
        listener.onFact(
            loop.id(),
            preparing && !(error instanceof ForgeError.Unauthorized)
                ? new LoopFact.NotPrepared(error.message())
                : new LoopFact.ForgeFailed(error));
      }
    }
  }

  private void refused(Loop loop, Problem problem) {
    switch (problem.code()) {
      case FORBIDDEN ->
          listener.onFact(
              loop.id(), new LoopFact.ForgeFailed(new ForgeError.Unauthorized(problem.message())));
      case UNAVAILABLE -> retryLater(loop, problem.message());
      default -> listener.onFact(loop.id(), new LoopFact.NotPrepared(problem.message()));
    }
  }

  private void retryLater(Loop loop, String why) {
    LOG.log(
        Level.WARNING,
        "The forge of loop {0} could not do it ({1}); trying again in 30 s.",
        loop.id(),
        why);
    retryAt(loop.id(), parts.clock().instant().plus(RETRY_DELAY));
  }

  private void retryAt(LoopId loop, Instant when) {
    parts.timers().at("forge " + loop, when, () -> resume.accept(loop));
  }
}
