package dev.midcourse.autopilot;

import dev.midcourse.agents.git.WorkBranch;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.Guidance;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopCall;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.finding.Finding;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.LoopAct;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.run.Run;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
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
  private final FactListener listener;
  private final QueueListener queues;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("midcourse-loop-", 0).factory());

  /** One lock for each loop: held while its acts are carried out. */
  private final Map<LoopId, ReentrantLock> locks = new ConcurrentHashMap<>();

  LoopActor(LoopParts parts, FactListener listener, QueueListener queues) {
    this.parts = parts;
    this.runs = new LoopRuns(parts);
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
      case LoopAct.Release _ -> release(loop);
    }
  }

  private void doWhatIsMissing(Loop loop) throws InterruptedException {
    for (LoopCall call : loop.calls()) {
      if (!call.isOpen()) {
        runs.end(call);
        takeBackGuidance(loop, call);
      }
    }
    if (loop.phase().hasEnded()) {
      release(loop);
      return;
    }
    for (LoopCall call : loop.openCalls()) {
      goOn(loop, call);
    }
    Loop now = current(loop.id()).orElse(loop);
    if (now.phase() == LoopPhase.PREPARE) {
      prepare(now);
    } else if (now.phase() == LoopPhase.LAND) {
      merge(now, now.head().orElseThrow());
    }
  }

  /**
   * Guidance of a call that is over waits again, if its agent never got it: the call was cut short,
   * or a hub ended between storing the guidance and giving it.
   */
  private void takeBackGuidance(Loop loop, LoopCall call) {
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
    try {
      WorkBranch.Prepared prepared = GitRetries.retrying(() -> folders(loop).branch().prepare());
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
            GitRetries.retrying(() -> {
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
      LoopFact fact =
          GitRetries.retrying(() ->
              switch (call.kind()) {
                case IMPLEMENT, FIX, REPAIR -> workEnded(loop, call, run);
                case REVIEW -> reviewEnded(loop, call, run);
                case CI -> ciEnded(loop, call, run);
              });
      report(loop.id(), fact);
      if (!call.kind().isWork()) {
        runs.dismissAlarm(call, call.kind(), loop.createdBy());
        folders(loop).remove(call);
      }
    } catch (RefusedException refused) {
      report(loop.id(), new LoopFact.CallImpossible(call.number(), refused.problem().message()));
    }
  }

  private LoopFact workEnded(Loop loop, LoopCall call, Run run) {
    var state = folders(loop).branch().read(loop.base().orElseThrow(), loop.head().orElseThrow());
    return parts
        .ledger()
        .read(reading ->
            new LoopFact.WorkEnded(
                call.number(),
                LoopRuns.end(run, reading),
                state,
                run.spent(),
                LoopRuns.notOffered(loop, call, reading)));
  }

  private LoopFact reviewEnded(Loop loop, LoopCall call, Run run) {
    WorkBranch branch = folders(loop).branch();
    String tip = branch.tip();
    String head = call.head().orElseThrow();
    return parts
        .ledger()
        .read(reading -> {
          CallEnd end = LoopRuns.end(run, reading);
          Optional<ReviewReport> report =
              end instanceof CallEnd.Answered(String text)
                  ? Optional.of(anchored(report(loop, call, text), branch, head))
                  : Optional.empty();
          return new LoopFact.ReviewEnded(
              call.number(),
              end,
              report,
              tip,
              run.spent(),
              LoopRuns.notOffered(loop, call, reading));
        });
  }

  /** The report with the anchors of its lines, by which findings are known again. */
  private static ReviewReport anchored(ReviewReport report, WorkBranch branch, String head) {
    return switch (report) {
      case ReviewReport.WithFindings(List<ReportedFinding> findings, int omitted) -> {
        List<ReportedFinding> anchored = new ArrayList<>();
        for (ReportedFinding finding : findings) {
          anchored.add(anchored(finding, branch, head));
        }
        yield new ReviewReport.WithFindings(anchored, omitted);
      }
      case ReviewReport.NoFindings none -> none;
      case ReviewReport.Unreadable unreadable -> unreadable;
    };
  }

  private ReviewReport report(Loop loop, LoopCall call, String text) {
    return ReviewReport.read(text, call.head().orElseThrow(), folders(loop).of(call).toString());
  }

  /** A finding that its tool knows again by itself keeps the anchor of the tool. */
  private static ReportedFinding anchored(ReportedFinding finding, WorkBranch branch, String head) {
    return finding
        .path()
        .filter(_ -> finding.anchor().isEmpty())
        .map(path -> finding.withAnchor(branch.anchor(head, path, finding.line())))
        .orElse(finding);
  }

  private LoopFact ciEnded(Loop loop, LoopCall call, Run run) {
    CiResult result =
        parts
            .ledger()
            .read(reading ->
                CiResult.of(
                    run,
                    call.head().orElseThrow(),
                    reading,
                    parts.ledger().log(),
                    folders(loop).of(call)));
    WorkBranch branch = folders(loop).branch();
    String head = call.head().orElseThrow();
    List<ReportedFinding> findings =
        result.findings().stream().map(it -> anchored(it, branch, head)).toList();
    return new LoopFact.CiEnded(call.number(), result.verdict(), findings);
  }

  /**
   * Lets the loop wait to land. Without a CI command, nothing can test a merge: such a loop lands
   * at once, or gets the base merged into its branch and is reviewed anew.
   */
  private void merge(Loop loop, String head) throws InterruptedException {
    if (loop.spec().ci().isPresent()) {
      queues.join(loop, head);
      return;
    }
    try {
      WorkBranch branch = folders(loop).branch();
      LoopFact fact =
          switch (GitRetries.retrying(() -> branch.land(head))) {
            case WorkBranch.LandResult.Landed(String commit) -> new LoopFact.Landed(commit);
            case WorkBranch.LandResult.BaseMerged _ ->
                new LoopFact.BaseMerged(branch.read(loop.base().orElseThrow(), head));
            case WorkBranch.LandResult.Conflict(List<String> files) ->
                new LoopFact.NotLanded(
                    "it conflicts with " + loop.spec().base(), List.of(conflict(loop, files)));
            case WorkBranch.LandResult.Refused(String why) ->
                new LoopFact.NotLanded(why, List.of());
          };
      report(loop.id(), fact);
    } catch (RefusedException refused) {
      report(loop.id(), new LoopFact.NotLanded(refused.problem().message(), List.of()));
    }
  }

  private static ReportedFinding conflict(Loop loop, List<String> files) {
    return ReportedFinding.of(
        Optional.empty(),
        0,
        Severity.MAJOR,
        "Branch " + loop.spec().base() + " has moved and conflicts with yours",
        "Run: git merge "
            + loop.spec().base()
            + "\nResolve the conflicts and commit the merge. They are in: "
            + String.join(", ", files)
            + "\n(source: "
            + Finding.MERGE
            + ")");
  }

  /** Ends what still runs, and removes the checkouts of a loop that has ended. */
  private void release(Loop loop) throws InterruptedException {
    for (LoopCall call : loop.calls()) {
      runs.end(call);
    }
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
