package dev.midcourse.autopilot;

import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.run.Run;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Carries the acts of loops out, those of one loop one after the other. {@link #resume} compares
 * the stored loop with what is there, and does what is missing; it is called at the start, at the
 * end of a run, and again after a failure.
 */
final class LoopActor implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LoopActor.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
  private static final Duration GIT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final LoopParts parts;
  private final LoopRuns runs;
  private final CallEnds ends;
  private final LocalLanding landing;
  private final ForgeWorker forge;
  private final Consumer<Loop> looks;
  private final FactListener listener;
  private final QueueListener queues;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("midcourse-loop-", 0).factory());

  /** One lock for each loop: held while its acts are carried out. */
  private final Map<LoopId, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * @param looks looks at the change of a loop soon
   */
  LoopActor(LoopParts parts, FactListener listener, Consumer<Loop> looks, QueueListener queues) {
    this.parts = parts;
    this.runs = new LoopRuns(parts);
    this.ends = new CallEnds(parts);
    this.landing = new LocalLanding(parts);
    this.forge = new ForgeWorker(parts, this::report, this::resume);
    this.looks = looks;
    this.listener = listener;
    this.queues = queues;
  }

  /** Takes what the acts have found out. */
  @FunctionalInterface
  interface FactListener {
    void onFact(LoopId loop, LoopFact fact);
  }

  /** Takes loops that are to land after others. */
  @FunctionalInterface
  interface QueueListener {
    /** Has no effect but that of a reminder if the loop waits there already. */
    void join(Loop loop, String head);
  }

  private interface Work {
    void on(Loop loop) throws InterruptedException;
  }

  /** Carries the acts out later, on another thread. */
  void perform(LoopId id, List<LoopAct> acts) {
    if (!acts.isEmpty()) {
      later(
          id,
          loop -> {
            for (LoopAct act : acts) {
              perform(current(id).orElse(loop), act);
            }
            writeToForge(id);
          });
    }
  }

  /** Does what is missing, later and on another thread. */
  void resume(LoopId id) {
    later(id, this::doWhatIsMissing);
  }

  private void later(LoopId id, Work work) {
    try {
      threads.execute(() -> alone(id, work));
    } catch (RejectedExecutionException closed) {
      return; // the next hub goes on
    }
  }

  private void alone(LoopId id, Work work) {
    ReentrantLock lock = locks.computeIfAbsent(id, _ -> new ReentrantLock(true));
    try {
      lock.lockInterruptibly();
      try {
        Optional<Loop> loop = current(id);
        if (loop.isPresent()) {
          work.on(loop.get());
        }
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (threads.isShutdown()) {
        return;
      }
      LOG.log(
          Level.WARNING,
          "An act of loop " + id + " failed; retrying in 10 s. The loop waits meanwhile.",
          e);
      parts
          .timers()
          .at("retry loop " + id, parts.clock().instant().plus(RETRY_DELAY), () -> resume(id));
    }
  }

  private Optional<Loop> current(LoopId id) {
    return parts.ledger().read(reading -> reading.loops().loop(id));
  }

  private void perform(Loop loop, LoopAct act) throws InterruptedException {
    switch (act) {
      case LoopAct.Prepare _ -> prepare(loop);
      case LoopAct.StartCall(int number) -> {
        Optional<LoopCall> call = loop.call(number).filter(LoopCall::isOpen);
        if (call.isPresent()) {
          start(loop, call.get());
        }
      }
      case LoopAct.GiveNow(var guidance, int number, var steer) -> {
        Optional<LoopCall> call = loop.call(number);
        Optional<Guidance> given =
            loop.guidance().stream().filter(it -> it.id().equals(guidance)).findFirst();
        if (call.isPresent() && given.isPresent()) {
          give(loop, given.get(), call.get());
        }
      }
      case LoopAct.EndRun(var run) -> {
        for (LoopCall call : loop.calls()) {
          if (call.run().equals(run)) {
            runs.end(call);
            takeBackGuidance(current(loop.id()).orElse(loop), call);
          }
        }
      }
      case LoopAct.Merge(String head) -> merge(loop, head);
      case LoopAct.Push(String head) -> forge.push(loop, head);
      case LoopAct.Sync _ -> forge.sync(loop);
      case LoopAct.TakeRemote _ -> forge.takeRemote(loop);
      case LoopAct.Look _ -> looks.accept(loop);
      case LoopAct.Write _ -> {} // all acts of the outbox are performed after those of the step
      case LoopAct.Release _ -> release(loop);
    }
  }

  private void doWhatIsMissing(Loop loop) throws InterruptedException {
    List<LoopCall> over = loop.calls().stream().filter(call -> !call.isOpen()).toList();
    runs.end(over);
    for (LoopCall call : over) {
      takeBackGuidance(loop, call);
    }
    if (loop.phase().hasEnded()) {
      writeToForge(loop.id());
      release(loop);
      return;
    }
    for (LoopCall call : loop.openCalls()) {
      goOn(loop, call);
    }
    goOnWithPhase(current(loop.id()).orElse(loop));
    writeToForge(loop.id());
  }

  private void goOnWithPhase(Loop loop) throws InterruptedException {
    switch (loop.phase()) {
      case PREPARE -> prepare(loop);
      case PUBLISH -> {
        if (!loop.forge().orElseThrow().pushed().equals(loop.head())) {
          forge.push(loop, loop.head().orElseThrow());
        }
      }
      case SYNC -> goOnWithSync(loop);
      case LAND -> {
        if (loop.forge().isEmpty()) {
          merge(loop, loop.head().orElseThrow());
        }
      }
      case IMPLEMENT, VERIFY, ANSWER, CHECK, FIX, PARKED, DONE, STOPPED -> {}
    }
  }

  /**
   * Lets the loop wait to land. Without a CI command, nothing can test a merge: such a loop lands
   * at once, or gets the base merged into its branch and is reviewed anew.
   */
  private void merge(Loop loop, String head) throws InterruptedException {
    if (loop.spec().ci().isPresent()) {
      queues.join(loop, head);
    } else {
      report(loop.id(), landing.merge(loop, head));
    }
  }

  /** Both ways to go on merge what the branch does not have, so that both may be repeated. */
  private void goOnWithSync(Loop loop) throws InterruptedException {
    boolean takesOver = loop.forge().orElseThrow().takesOver();
    if (takesOver) {
      forge.takeRemote(loop);
    } else {
      forge.sync(loop);
    }
  }

  private void writeToForge(LoopId id) throws InterruptedException {
    Optional<Loop> loop = current(id).filter(it -> it.forge().isPresent());
    if (loop.isPresent()) {
      forge.write(loop.get());
    }
  }

  /**
   * Guidance of a call that is over waits again, if its agent never got it: the call was cut short,
   * or a hub ended between storing the guidance and giving it.
   */
  private void takeBackGuidance(Loop loop, LoopCall call) {
    if (loop.guidance().stream().noneMatch(it -> LoopRuns.steerOf(it, call).isPresent())) {
      return;
    }
    Set<SteerId> notOffered =
        parts.ledger().read(reading -> LoopRuns.notOffered(loop, call, reading));
    if (!notOffered.isEmpty()) {
      report(loop.id(), new LoopFact.NotOffered(call.number(), notOffered));
    }
  }

  private void goOn(Loop loop, LoopCall call) throws InterruptedException {
    Optional<Run> ended = runs.ended(call);
    if (ended.isPresent()) {
      takeEnd(loop, call, ended.get());
      return;
    }
    start(loop, call);
    for (Guidance guidance : loop.guidance()) {
      give(loop, guidance, call);
    }
  }

  private void prepare(Loop loop) throws InterruptedException {
    if (loop.forge().isPresent() && !forge.signIn(loop)) {
      return;
    }
    try {
      WorkBranch.Prepared prepared = GitRetry.retrying(() -> folders(loop).branch().prepare());
      report(loop.id(), new LoopFact.Prepared(prepared.base(), prepared.at()));
    } catch (RefusedException refused) {
      report(loop.id(), new LoopFact.NotPrepared(refused.problem().message()));
    }
  }

  /**
   * Passes a fact on, unless the hub closes: git and the waits are broken off then, and what they
   * said is not true.
   */
  private void report(LoopId loop, LoopFact fact) {
    if (!threads.isShutdown() && !Thread.currentThread().isInterrupted()) {
      listener.onFact(loop, fact);
    }
  }

  private LoopFolders folders(Loop loop) {
    return new LoopFolders(parts.folder(), loop);
  }

  private void start(Loop loop, LoopCall call) throws InterruptedException {
    boolean there = parts.ledger().read(reading -> reading.run(call.run()).isPresent());
    if (there) {
      return;
    }
    try {
      runs.awaitEarlierWork(loop, call);
      if (!call.kind().isWork()) {
        LoopFolders _ =
            GitRetry.retrying(() -> {
              folders(loop).create(call);
              return folders(loop);
            });
      }
      runs.start(loop, call, folders(loop).of(call));
    } catch (RefusedException refused) {
      report(loop.id(), new LoopFact.CallImpossible(call.number(), refused.problem().message()));
    }
  }

  private void give(Loop loop, Guidance guidance, LoopCall call) {
    LoopRuns.steerOf(guidance, call)
        .map(steer -> runs.give(guidance, call, steer))
        .filter(given -> given == LoopRuns.Given.TOO_LATE)
        .ifPresent(_ -> report(loop.id(), new LoopFact.NotGiven(guidance.id(), call.number())));
  }

  /** Takes over what came of the run of a call. */
  private void takeEnd(Loop loop, LoopCall call, Run run) throws InterruptedException {
    try {
      LoopFact fact = GitRetry.retrying(() -> ends.of(loop, call, run));
      report(loop.id(), fact);
      if (!call.kind().isWork()) {
        // After the acts that follow: the next call does not wait for git to remove a checkout.
        later(
            loop.id(),
            its -> {
              runs.dismissAlarm(call, call.kind(), its.createdBy());
              folders(its).remove(call);
            });
      }
    } catch (RefusedException refused) {
      report(loop.id(), new LoopFact.CallImpossible(call.number(), refused.problem().message()));
    }
  }

  /** Ends what still runs, and removes the checkouts of a loop that has ended. */
  private void release(Loop loop) throws InterruptedException {
    runs.end(loop.calls());
    LoopFolders folders = folders(loop);
    if (folders.hasAny()) {
      folders.release();
    }
  }

  /** Lets git come to its end: if it were broken off, it would leave locks in the repository. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(GIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
      if (!threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(Level.WARNING, "An act of a loop has not ended in time; the next hub repeats it.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
