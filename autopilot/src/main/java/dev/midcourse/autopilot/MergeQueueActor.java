package dev.midcourse.autopilot;

import dev.midcourse.agents.git.BaseBranch;
import dev.midcourse.agents.git.Repository;
import dev.midcourse.agents.git.ReviewCheckout;
import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.MergeTrial;
import dev.midcourse.core.loop.queue.QueueAct;
import dev.midcourse.core.loop.queue.QueueEntry;
import dev.midcourse.core.loop.queue.QueueFact;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.core.run.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
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
import java.util.stream.Stream;

/**
 * Carries the acts of merge queues out: makes merges, tests them in a checkout, and moves the base.
 * Those of one queue are carried out one after the other. {@link #resume} does what is missing.
 */
final class MergeQueueActor implements AutoCloseable {
  private static final Logger LOG = System.getLogger(MergeQueueActor.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
  private static final Duration GIT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** No id of a loop begins with a dot. */
  private static final String FOLDER = ".merges";

  private final LoopParts parts;
  private final LoopRuns runs;
  private final FactListener listener;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("midcourse-merge-queue-", 0).factory());

  /** One lock for each queue: held while its acts are carried out. */
  private final Map<QueueKey, ReentrantLock> locks = new ConcurrentHashMap<>();

  MergeQueueActor(LoopParts parts, FactListener listener) {
    this.parts = parts;
    this.runs = new LoopRuns(parts);
    this.listener = listener;
  }

  /** Takes what the acts have found out. */
  @FunctionalInterface
  interface FactListener {
    void onFact(QueueKey queue, QueueFact fact);
  }

  private interface Work {
    void on(MergeQueue queue) throws InterruptedException;
  }

  /** Carries the acts out later, on another thread. */
  void perform(QueueKey key, List<QueueAct> acts) {
    if (!acts.isEmpty()) {
      later(
          key,
          queue -> {
            for (QueueAct act : acts) {
              perform(current(key).orElse(queue), act);
            }
          });
    }
  }

  /** Does what is missing, later and on another thread. */
  void resume(QueueKey key) {
    later(
        key,
        queue -> {
          Optional<QueueAct> next = queue.nextAct();
          if (next.isPresent()) {
            perform(queue, next.get());
          }
        });
  }

  private void later(QueueKey key, Work work) {
    try {
      threads.execute(() -> alone(key, work));
    } catch (RejectedExecutionException closed) {
      return; // the next hub goes on
    }
  }

  private void alone(QueueKey key, Work work) {
    ReentrantLock lock = locks.computeIfAbsent(key, _ -> new ReentrantLock(true));
    try {
      lock.lockInterruptibly();
      try {
        Optional<MergeQueue> queue = current(key);
        if (queue.isPresent()) {
          work.on(queue.get());
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
          "An act of the merge queue for " + key + " failed; retrying in 10 s. Its loops wait.",
          e);
      parts
          .timers()
          .at("retry " + timer(key), parts.clock().instant().plus(RETRY_DELAY), () -> resume(key));
    }
  }

  private static String timer(QueueKey key) {
    return "merge queue " + key.repository() + " " + key.base();
  }

  /** Lets the queue be asked when its test takes too long. */
  void armTimer(MergeQueue queue) {
    String name = timer(queue.key());
    queue
        .nextDue()
        .ifPresentOrElse(
            due ->
                parts
                    .timers()
                    .at(name, due, () -> listener.onFact(queue.key(), new QueueFact.TimePassed())),
            () -> parts.timers().cancel(name));
  }

  private Optional<MergeQueue> current(QueueKey key) {
    return parts.ledger().read(reading -> reading.loops().queue(key));
  }

  private void perform(MergeQueue queue, QueueAct act) throws InterruptedException {
    switch (act) {
      case QueueAct.Merge(int number) -> {
        Optional<MergeTrial> trial = trial(queue, number).filter(it -> it.merged().isEmpty());
        if (trial.isPresent()) {
          merge(queue, trial.get());
        }
      }
      case QueueAct.Test(int number) -> {
        Optional<MergeTrial> trial = trial(queue, number).filter(MergeTrial::isTesting);
        if (trial.isPresent()) {
          test(queue, trial.get());
        }
      }
      case QueueAct.Land(int number) -> {
        Optional<MergeTrial> trial = trial(queue, number).filter(MergeTrial::green);
        if (trial.isPresent()) {
          land(queue, trial.get());
        }
      }
      case QueueAct.EndTest(RunId run) -> {
        runs.end(run);
        ReviewCheckout.remove(repository(queue), folder(run));
      }
    }
  }

  private static Optional<MergeTrial> trial(MergeQueue queue, int number) {
    return queue.trial().filter(it -> it.number() == number);
  }

  private static Repository repository(MergeQueue queue) {
    return Repository.at(Path.of(queue.key().repository()));
  }

  private static BaseBranch base(MergeQueue queue) {
    return new BaseBranch(repository(queue), queue.key().base());
  }

  private Path folder(RunId run) {
    try {
      return Files.createDirectories(parts.folder().resolve(FOLDER))
          .toRealPath()
          .resolve(run.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Passes a fact on, unless the hub closes: git is broken off then. */
  private void report(MergeQueue queue, QueueFact fact) {
    if (!threads.isShutdown() && !Thread.currentThread().isInterrupted()) {
      listener.onFact(queue.key(), fact);
    }
  }

  private void merge(MergeQueue queue, MergeTrial trial) throws InterruptedException {
    int number = trial.number();
    List<QueueEntry> members = queue.members();
    List<BaseBranch.Part> wanted =
        members.stream().map(it -> new BaseBranch.Part(it.branch(), it.head())).toList();
    try {
      QueueFact fact =
          switch (GitRetry.retrying(() -> base(queue).merge(wanted))) {
            case BaseBranch.MergeResult.Merged(String onto, String result, int count) ->
                new QueueFact.Merged(
                    number,
                    onto,
                    result,
                    members.stream().limit(count).map(QueueEntry::loop).toList());
            case BaseBranch.MergeResult.Conflict(List<String> files) ->
                new QueueFact.Conflicted(number, files);
          };
      report(queue, fact);
    } catch (RefusedException refused) {
      report(queue, new QueueFact.Blocked(number, refused.problem().message()));
    }
  }

  private void test(MergeQueue queue, MergeTrial trial) throws InterruptedException {
    RunId id = trial.run();
    Optional<Run> run = parts.ledger().read(reading -> reading.run(id));
    if (run.isEmpty()) {
      startTest(queue, trial);
    } else if (!run.get().state().live()) {
      takeResult(queue, trial, run.get());
    }
  }

  private void startTest(MergeQueue queue, MergeTrial trial) throws InterruptedException {
    QueueEntry first = queue.members().getFirst();
    String merged = trial.merged().orElseThrow();
    Path folder = folder(trial.run());
    try {
      boolean there =
          GitRetry.retrying(() -> {
            boolean known = base(queue).hasCommit(merged);
            if (known) {
              ReviewCheckout.create(repository(queue), folder, merged, merged);
            }
            return known;
          });
      if (there) {
        runs.startCi(trial.run(), first.ci(), first.worker(), folder, first.author());
      } else {
        report(queue, new QueueFact.BaseMoved(trial.number())); // somebody has pruned the merge
      }
    } catch (RefusedException refused) {
      report(queue, new QueueFact.Blocked(trial.number(), refused.problem().message()));
    }
  }

  private void takeResult(MergeQueue queue, MergeTrial trial, Run run) {
    Path folder = folder(run.id());
    CiResult result =
        parts
            .ledger()
            .read(reading ->
                CiResult.of(
                    run, trial.merged().orElseThrow(), reading, parts.ledger().log(), folder));
    report(queue, new QueueFact.Tested(trial.number(), result.verdict(), result.findings()));
    runs.dismissAlarm(run.id(), queue.members().getFirst().author());
    ReviewCheckout.remove(repository(queue), folder);
  }

  private void land(MergeQueue queue, MergeTrial trial) throws InterruptedException {
    String merged = trial.merged().orElseThrow();
    String from = trial.base().orElseThrow();
    try {
      QueueFact fact =
          switch (GitRetry.retrying(() -> base(queue).move(from, merged))) {
            case BaseBranch.MoveResult.Moved _ -> new QueueFact.Landed(trial.number(), merged);
            case BaseBranch.MoveResult.OtherBase _ -> new QueueFact.BaseMoved(trial.number());
            case BaseBranch.MoveResult.Refused(String why) ->
                new QueueFact.Blocked(trial.number(), why);
          };
      report(queue, fact);
    } catch (RefusedException refused) {
      report(queue, new QueueFact.Blocked(trial.number(), refused.problem().message()));
    }
  }

  /** Ends the tests that the last hub has left and that no queue needs, on another thread. */
  void removeLeftovers() {
    threads.execute(() -> {
      try {
        for (RunId run : leftovers()) {
          runs.end(run);
          FileTrees.delete(folder(run));
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      } catch (IOException | RuntimeException e) {
        LOG.log(Level.WARNING, "Old checkouts of merge queues cannot be removed; they stay.", e);
      }
    });
  }

  private List<RunId> leftovers() throws IOException {
    Path all = parts.folder().resolve(FOLDER);
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    List<RunId> there;
    try (Stream<Path> folders = Files.list(all)) {
      there = folders.map(it -> RunId.of(String.valueOf(it.getFileName()))).toList();
    }
    // Asked after the folders, so that no test that has just begun is taken for an old one.
    Set<RunId> needed = new HashSet<>();
    parts
        .ledger()
        .read(reading -> reading.loops().queues())
        .forEach(queue -> queue.trial().ifPresent(its -> needed.add(its.run())));
    return there.stream().filter(it -> !needed.contains(it)).toList();
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
        LOG.log(
            Level.WARNING,
            "An act of a merge queue has not ended in time; the next hub repeats it.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
