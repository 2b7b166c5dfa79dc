package dev.midcourse.proof.bench;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.core.steer.SteerIntake.IntakeDecision;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Two hundred live runs that are steered and read in the same way as by the engine. */
final class LedgerLoad {
  private static final int RUNS = 200;
  private static final int EVENTS_IN_A_WORK = 5_000;
  private static final Author AUTHOR = Author.person("bench");

  private final Ledger ledger;
  private final Ids ids = new Ids(new SplittableRandom(1));
  private final AtomicInteger next = new AtomicInteger();
  private final List<RunId> runs = new ArrayList<>();

  LedgerLoad(Ledger ledger) {
    this.ledger = ledger;
  }

  void prepare() {
    for (int i = 0; i < RUNS; i++) {
      RunId run = RunId.of("run-" + i);
      runs.add(run);
      ledger.write(tx -> {
        tx.put(Run.queued(run, spec(), Instant.now()));
        tx.put(
            Attempt.begun(run, 1, HostName.of("here"), "mark", false, Instant.now())
                .started("1", Capabilities.FULL));
        return true;
      });
    }
  }

  void warmUp() {
    for (int i = 0; i < 2_000; i++) {
      steer();
      read();
    }
  }

  /** Stores a steer; returns true when it is durable. */
  boolean steer() {
    RunId run = runs.get(next.getAndIncrement() % RUNS);
    SteerId id;
    synchronized (ids) {
      id = ids.steer();
    }
    SteerRequest request =
        SteerRequest.steer("please use the other library, not this one")
            .withKey(IdempotencyKey.of(id.value()));
    return ledger.write(tx -> stored(tx, run, request, id));
  }

  /** Stores a steer like the engine: decision and write in one transaction. */
  private static boolean stored(Transaction tx, RunId runId, SteerRequest request, SteerId id) {
    Instant now = Instant.now();
    Transaction.Addressed addressed =
        tx.addressed(runId, AUTHOR.group(), request.key()).orElseThrow();
    Run run = addressed.run();
    SteerIntake.Known known =
        new SteerIntake.Known(
            run,
            AUTHOR,
            false,
            () -> tx.attempt(run.id(), 1).flatMap(Attempt::can).orElseThrow(),
            addressed.sameKey(),
            Optional.empty(),
            () -> tx.countOpenSteers(run.id()),
            run.steers() + 1);
    if (!(SteerIntake.judge(request, known, id, now)
        instanceof IntakeDecision.Store(Steer steer, _))) {
      throw new IllegalStateException("not taken in");
    }
    tx.put(steer);
    tx.append(run.id(), now, SteerEvents.stored(steer));
    return true;
  }

  boolean read() {
    RunId run = runs.get(next.getAndIncrement() % RUNS);
    return ledger.read(reading -> reading.run(run)).orElseThrow().state() == RunState.QUEUED;
  }

  /** Adds ended runs with a thousand events each. */
  void addHistory(int events) {
    for (int done = 0; done < events; done += EVENTS_IN_A_WORK) {
      int from = done;
      ledger.write(tx -> {
        Instant then = Instant.now().minus(Duration.ofDays(30));
        for (int i = 0; i < EVENTS_IN_A_WORK; i++) {
          RunId run = RunId.of("old-" + (from + i) / 1_000);
          if ((from + i) % 1_000 == 0) {
            tx.put(Run.queued(run, spec(), then));
          }
          tx.append(run, then, new RunEvent.Said(1, "line " + i + " of what the agent said"));
        }
        return true;
      });
    }
  }

  private static RunSpec spec() {
    return new RunSpec(
        "make the tests pass and say what was wrong",
        AgentName.of("rehearsal"),
        WorkerName.of("worker"),
        "/somewhere",
        AUTHOR,
        PendingPolicy.ALL,
        5,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
