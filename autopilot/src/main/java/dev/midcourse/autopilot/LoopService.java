package dev.midcourse.autopilot;

import dev.midcourse.agents.git.Repository;
import dev.midcourse.autopilot.LoopStepTransaction.Stored;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.forge.ChangeSnapshot;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueEntry;
import dev.midcourse.core.loop.queue.QueueFact;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.core.loop.remote.LoopStack;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Creates loops, takes the orders of people, and keeps loops going while it is open. All state is
 * in the ledger: a step stores the next state and its events in one transaction, and only then its
 * acts begin. {@link #start} finds out what the last hub did not finish.
 */
public final class LoopService implements AutoCloseable {
  /** How many loops may be unended; a limit against a program that starts them for ever. */
  static final int MAX_LOOPS = 2_000;

  private final LoopParts parts;
  private final LoopActor actor;
  private final MergeQueueActor queues;
  private final ForgePoller poller;
  private final LogFollower follower;

  public LoopService(LoopParts parts) {
    this.parts = parts;
    RemoteSteers steers =
        new RemoteSteers(
            parts.people(),
            (id, order) -> {
              Loop _ = apply(id, order);
            });
    this.poller = new ForgePoller(parts, this::take, steers);
    this.actor = new LoopActor(parts, this::take, poller::lookNow, this::joinQueue);
    this.queues = new MergeQueueActor(parts, this::take);
    Log log = parts.ledger().log();
    this.follower =
        new LogFollower(
            "autopilot",
            log,
            Log.Filter.of(RunEvent.RunEnded.class, RunEvent.LoopMoved.class),
            log.newest(),
            news -> news.forEach(this::goOn));
  }

  /** Goes on with all loops that have not ended. */
  public void start() {
    follower.start();
    List<Loop> unended = parts.ledger().read(reading -> reading.loops().unended());
    for (Loop loop : unended.stream().filter(this::isOurs).toList()) {
      armTimer(loop);
      poller.watch(loop);
      retargetIfBelowLanded(loop);
      actor.resume(loop.id());
    }
    for (MergeQueue queue : parts.ledger().read(reading -> reading.loops().queues())) {
      if (queue.key().host().equals(parts.host())) {
        queues.armTimer(queue);
        queues.resume(queue.key());
      }
    }
    queues.removeLeftovers();
  }

  /** A run of a loop has ended, or the hub of another host has taken an order. */
  private void goOn(Log.LogEntry entry) {
    if (entry.event() instanceof RunEvent.RunEnded) {
      Optional<LoopId> loop = parts.ledger().read(reading -> reading.loops().loopOf(entry.run()));
      loop.ifPresent(this::resumeIfOurs);
    } else if (parts.ledger().shared()) {
      resumeIfOurs(LoopId.of(entry.run().value()));
    }
  }

  private void resumeIfOurs(LoopId id) {
    Optional<Loop> loop = parts.ledger().read(reading -> reading.loops().loop(id));
    loop.filter(this::isOurs)
        .ifPresent(ours -> {
          armTimer(ours);
          poller.watch(ours);
          actor.resume(id);
        });
  }

  private boolean isOurs(Loop loop) {
    return loop.spec().host().equals(parts.host());
  }

  /** Creates a loop and begins it. */
  public Loop create(LoopOrder order, Author author) {
    Instant now = parts.clock().instant();
    Repository repository = Repository.at(order.repository());
    BranchName base =
        order
            .base()
            .or(repository::currentBranch)
            .orElseThrow(() ->
                Problem.invalid("base", "a branch", "the repository is on no branch; name the base")
                    .refused());
    Loop created =
        parts
            .ledger()
            .write(tx -> {
              refuseTooMany(tx);
              LoopId id = freshId(tx, order.prompt());
              Loop loop =
                  Loop.created(
                      id,
                      spec(order, id, base),
                      order.budget(),
                      order.land(),
                      order.prompt(),
                      author,
                      now);
              refuseSameBranch(tx, loop);
              tx.loops().put(loop);
              tx.append(
                  RunId.of(id.value()),
                  now,
                  new RunEvent.LoopMoved(loop.phase(), "created by " + author.group()));
              return loop;
            });
    actor.resume(created.id());
    return created;
  }

  private LoopSpec spec(LoopOrder order, LoopId id, BranchName base) {
    return new LoopSpec(
        parts.host(),
        order.repository().toString(),
        base,
        order.branch().orElseGet(() -> BranchName.of("autopilot/" + id)),
        order.worker(),
        order.agent(),
        order.reviewer(),
        order.ci(),
        order.reviewTimeout(),
        order.ciTimeout(),
        order.forge());
  }

  private LoopId freshId(Transaction tx, String prompt) {
    while (true) {
      LoopId drawn = LoopId.of(parts.ids().run(prompt).value());
      boolean free = tx.loops().loop(drawn).isEmpty() && tx.run(RunId.of(drawn.value())).isEmpty();
      if (free) {
        return drawn;
      }
    }
  }

  private static void refuseTooMany(Transaction tx) {
    if (tx.loops().unended().size() >= MAX_LOOPS) {
      throw Problem.of(
              Code.LIMIT,
              "loop",
              "at most " + MAX_LOOPS,
              "there are " + MAX_LOOPS + " loops already: stop one")
          .refused();
    }
  }

  private static void refuseSameBranch(Transaction tx, Loop loop) {
    for (Loop other : tx.loops().unended()) {
      if (other.spec().repository().equals(loop.spec().repository())
          && other.spec().branch().equals(loop.spec().branch())) {
        throw Problem.of(
                Code.DUPLICATE,
                "branch",
                "a branch that no loop has",
                "loop " + other.id() + " works on branch " + loop.spec().branch())
            .refused();
      }
    }
  }

  /** The host whose loops this service carries out. */
  public HostName host() {
    return parts.host();
  }

  /** Carries an order out. An order that changes nothing gives the loop back as it is. */
  public Loop apply(LoopId id, LoopCommand command) {
    return step(id, command);
  }

  private void take(LoopId id, LoopFact fact) {
    Loop _ = step(id, fact);
  }

  private void take(QueueKey key, QueueFact fact) {
    Instant now = parts.clock().instant();
    begin(
        parts
            .ledger()
            .write(tx -> {
              LoopStepTransaction step = new LoopStepTransaction(tx, now);
              step.apply(key, fact);
              return step.stored();
            }));
  }

  /** Lets a clean loop wait to land; one that waits already reminds its queue. */
  private void joinQueue(Loop loop, String head) {
    QueueKey key = QueueKey.of(loop);
    Instant now = parts.clock().instant();
    Stored stored =
        parts
            .ledger()
            .write(tx -> {
              LoopStepTransaction step = new LoopStepTransaction(tx, now);
              boolean waits =
                  tx.loops()
                      .loop(loop.id())
                      .filter(it -> it.phase() == LoopPhase.LAND)
                      .filter(it -> it.head().equals(Optional.of(head)))
                      .isPresent();
              if (waits) {
                step.apply(key, new QueueFact.Joined(QueueEntry.of(loop, head, now)));
              }
              return step.stored();
            });
    begin(stored);
    if (stored.queues().isEmpty()) {
      queues.resume(key);
    }
  }

  /** Stores what follows from a fact, and begins the acts that follow. */
  private Loop step(LoopId id, LoopFact fact) {
    Instant now = parts.clock().instant();
    record Result(Loop loop, Stored stored) {}
    Result result =
        parts
            .ledger()
            .write(tx -> {
              LoopStepTransaction step = new LoopStepTransaction(tx, now);
              Loop loop = step.apply(id, fact);
              return new Result(loop, step.stored());
            });
    begin(result.stored());
    if (isOurs(result.loop()) && hasLanded(result.loop(), fact)) {
      retargetLoopsOn(result.loop());
    }
    return result.loop();
  }

  private void begin(Stored stored) {
    for (LoopChange change : stored.loops()) {
      if (isOurs(change.next())) {
        armTimer(change.next());
        poller.watch(change.next());
        actor.perform(change.next().id(), change.acts());
      }
    }
    for (LoopStepTransaction.QueueActs change : stored.queues()) {
      if (change.queue().key().host().equals(parts.host())) {
        queues.armTimer(change.queue());
        queues.perform(change.queue().key(), change.acts());
      }
    }
  }

  private static boolean hasLanded(Loop loop, LoopFact fact) {
    boolean merged =
        switch (fact) {
          case LoopFact.ForgeRead(ChangeSnapshot snapshot, _) ->
              snapshot.state() == ChangeSnapshot.State.MERGED;
          case LoopFact.ForgeWrote wrote -> wrote.act() instanceof ForgeAct.Merge;
          default -> false;
        };
    return merged && loop.phase().hasEnded();
  }

  /** The loops that are based on the branch of this one get its base. */
  private void retargetLoopsOn(Loop landed) {
    String base = landed.forge().orElseThrow().base();
    for (Loop loop : parts.ledger().<List<Loop>>read(reading -> reading.loops().unended())) {
      if (LoopStack.isOn(loop, landed) && isOurs(loop)) {
        take(loop.id(), new LoopFact.ParentLanded(base));
      }
    }
  }

  /** Retargets a loop whose loop below has landed while no hub was there. */
  private void retargetIfBelowLanded(Loop loop) {
    parts
        .ledger()
        .read(reading -> LoopsBelow.of(loop, reading.loops()))
        .flatMap(below -> LoopStack.baseAfterLanding(loop, below))
        .ifPresent(base -> take(loop.id(), new LoopFact.ParentLanded(base)));
  }

  /** Finds out what loops will do at forges. */
  public ForgePlanner planner() {
    return new ForgePlanner(parts);
  }

  /** The forges of the settings. */
  public ForgeRegistry forges() {
    return parts.forges();
  }

  /** When the loop looks at its change again; empty if it does not. */
  public Optional<Instant> nextLook(LoopId id) {
    return poller.nextLook(id);
  }

  /**
   * Looks at the changes at a forge soon, because it says that something has happened there.
   *
   * @param project the project that the forge names; empty for all
   */
  public void wake(String forge, Optional<String> project) {
    List<Loop> loops = parts.ledger().read(reading -> reading.loops().unended());
    poller.wake(forge, project, loops.stream().filter(this::isOurs).toList());
  }

  private void armTimer(Loop loop) {
    String name = "loop " + loop.id();
    loop.nextDue()
        .ifPresentOrElse(
            due -> parts.timers().at(name, due, () -> take(loop.id(), new LoopFact.TimePassed())),
            () -> parts.timers().cancel(name));
  }

  public static RefusedException notFound(LoopId id) {
    return Problem.of(Code.NOT_FOUND, "loop_id", "an existing id", "loop " + id + " not found")
        .refused();
  }

  @Override
  public void close() {
    follower.close();
    queues.close();
    actor.close();
    parts.forges().close();
  }
}
