package dev.midcourse.engine.supervise;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.event.SteerEvents;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunChange;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.RunTransitions;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerChange;
import dev.midcourse.core.steer.SteerTransitions;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What a supervisor knows of its run, and the only way it changes it: a change is made here, on the
 * copy in memory, and booked; {@link #commitAsync} gives all that was booked to the ledger as one
 * transaction. The transaction checks that the run is still ours, so a supervisor that was
 * overtaken changes nothing.
 */
final class AttemptUnitOfWork {
  private final Ledger ledger;
  private final InstantSource clock;
  private final HostName host;

  private Run run;
  private Attempt attempt;
  private Optional<TurnRecord> turn;
  private final TreeMap<Long, Steer> open = new TreeMap<>();

  /** Every steer up to here was laid on this desk, or had ended before. */
  private long newestSeq;

  private final Map<SteerId, Long> seqs = new HashMap<>();

  private final List<RunChange> runChanges = new ArrayList<>();
  private final Map<SteerId, Steer> changedSteers = new LinkedHashMap<>();
  private final List<Ask> changedAsks = new ArrayList<>();
  private final List<RunEvent> events = new ArrayList<>();
  private Optional<Attempt> changedAttempt = Optional.empty();
  private Optional<Attempt> advancedAttempt = Optional.empty();
  private final Map<Integer, TurnRecord> changedTurns = new LinkedHashMap<>();
  private boolean awaited;

  AttemptUnitOfWork(
      Ledger ledger,
      InstantSource clock,
      HostName host,
      Run run,
      Attempt attempt,
      Optional<TurnRecord> turn,
      Collection<Steer> openSteers) {
    this.ledger = ledger;
    this.clock = clock;
    this.host = host;
    this.run = run;
    this.attempt = attempt;
    this.turn = turn;
    this.newestSeq = run.steers();
    openSteers.forEach(this::track);
  }

  Run run() {
    return run;
  }

  Attempt attempt() {
    return attempt;
  }

  Optional<TurnRecord> turn() {
    return turn;
  }

  List<Steer> openSteers() {
    return List.copyOf(open.values());
  }

  /** What the agent was given and has not shown in the conversation yet. */
  List<Steer> inTransit() {
    return open.values().stream().filter(Steer::inTransit).toList();
  }

  Optional<Steer> steer(SteerId id) {
    return Optional.ofNullable(seqs.get(id)).map(open::get);
  }

  Instant now() {
    return clock.instant();
  }

  int attemptNumber() {
    return attempt.number();
  }

  /**
   * A steer that a door stored. Doors write their letters at the same time, so a letter may come
   * late or overtake another: one whose steer is known is ignored, and before one that overtook is
   * laid down, those it overtook are read from the ledger.
   */
  void add(Steer steer) {
    if (steer.seq() == newestSeq + 1) {
      track(steer);
    } else if (steer.seq() > newestSeq) {
      addNewSteers();
    }
  }

  /** A steer that another host may have stored. */
  void addIfUnknown(SteerId steer) {
    if (!seqs.containsKey(steer)) {
      addNewSteers();
    }
  }

  private void addNewSteers() {
    ledger.read(reading -> reading.openSteersAfter(run.id(), newestSeq)).forEach(this::track);
  }

  /** The newest steer that was to replace this one, whatever became of it. */
  Optional<Steer> replacementOf(Steer older) {
    return ledger.read(reading -> reading.steers(run.id())).stream()
        .filter(steer -> steer.replaces(older, run.spec().pending()))
        .max(Comparator.comparingLong(Steer::seq));
  }

  /** Whether the ledger has a stop for this attempt, whoever asked for it. */
  boolean isStopRequested() {
    return ledger
        .read(reading -> reading.run(run.id()))
        .filter(row -> row.stopAsked() && row.attempt() == attempt.number())
        .isPresent();
  }

  private void track(Steer steer) {
    seqs.put(steer.id(), steer.seq());
    open.put(steer.seq(), steer);
    newestSeq = Math.max(newestSeq, steer.seq());
  }

  void append(RunEvent event) {
    events.add(event);
  }

  /** Changes the run; a change that core calls stale has no effect. */
  void change(RunChange change) {
    if (RunTransitions.apply(run, change) instanceof RunTransitions.Verdict.Changed(Run next)) {
      run = next;
      runChanges.add(change);
    }
  }

  void change(Attempt next) {
    attempt = next;
    changedAttempt = Optional.of(next);
  }

  /** How far the agent was heard; it goes with what was made of it. */
  void advanceOutput(long offset, String memo) {
    attempt = attempt.heardTo(offset, memo);
    advancedAttempt = Optional.of(attempt);
  }

  /** Somebody waits for what is booked now. */
  void markAwaited() {
    awaited = true;
  }

  boolean isAwaited() {
    return awaited;
  }

  void change(TurnRecord next) {
    turn = Optional.of(next);
    changedTurns.put(next.number(), next);
  }

  void change(Ask ask) {
    changedAsks.add(ask);
  }

  /** Changes a steer and tells what core made of it. */
  SteerTransitions.Outcome change(Steer steer, SteerChange change) {
    Steer before = open.get(steer.seq());
    if (before == null) {
      return new SteerTransitions.Outcome.Stale("the steer has ended");
    }
    SteerTransitions.Outcome outcome = SteerTransitions.apply(before, change);
    if (outcome instanceof SteerTransitions.Outcome.Changed(Steer after) && !after.equals(before)) {
      changedSteers.put(after.id(), after);
      events.addAll(SteerEvents.between(before, after));
      if (after.open()) {
        open.put(after.seq(), after);
      } else {
        open.remove(after.seq());
      }
    }
    return outcome;
  }

  boolean isClean() {
    return runChanges.isEmpty()
        && changedSteers.isEmpty()
        && changedAsks.isEmpty()
        && events.isEmpty()
        && changedAttempt.isEmpty()
        && advancedAttempt.isEmpty()
        && changedTurns.isEmpty();
  }

  int pendingEvents() {
    return events.size();
  }

  /** Hands in what is booked; the future completes when it is durable. */
  CompletableFuture<Run> commitAsync() {
    return ledger.writeAsync(Priority.NORMAL, drain());
  }

  /** The same when nobody waits for it. */
  CompletableFuture<Run> commitLazily() {
    return ledger.writeAsync(Priority.LAZY, drain());
  }

  /** Hands in what is booked and waits until it is durable. */
  void commit() {
    if (!isClean()) {
      ledger.write(drain());
    }
  }

  /**
   * Ends the run if nothing keeps it open, together with everything booked, in one transaction.
   * Otherwise the steers that came in the meantime are taken and the run goes on.
   */
  boolean finish(Finish finish) {
    Ledger.TransactionBody<Run> work = drain();
    Optional<List<Steer>> news =
        ledger.write(tx -> {
          Run row = work.in(tx);
          return finish.in(tx, row);
        });
    news.ifPresent(steers -> steers.forEach(this::add));
    return news.isEmpty();
  }

  /** Nothing of the attempt is alive any more; kept also when the run is no longer ours. */
  void closeAttempt(String reason) {
    Attempt closed = attempt.ended(now(), reason);
    attempt = closed;
    ledger.write(tx -> {
      tx.put(closed);
      return closed;
    });
  }

  /** Part of the transaction that ends a run: empty when it ended, else the steers in its way. */
  interface Finish {
    Optional<List<Steer>> in(Transaction tx, Run row);
  }

  private Ledger.TransactionBody<Run> drain() {
    List<RunChange> changes = List.copyOf(runChanges);
    List<Steer> steers = List.copyOf(changedSteers.values());
    List<Ask> asks = List.copyOf(changedAsks);
    List<RunEvent> told = List.copyOf(events);
    Optional<Attempt> newAttempt = changedAttempt;
    Optional<Attempt> newlyHeard = advancedAttempt;
    List<TurnRecord> turns = List.copyOf(changedTurns.values());
    int number = attempt.number();
    Instant now = now();
    runChanges.clear();
    changedSteers.clear();
    changedAsks.clear();
    events.clear();
    changedAttempt = Optional.empty();
    advancedAttempt = Optional.empty();
    changedTurns.clear();
    awaited = false;
    return tx -> {
      Run row = requireOwned(tx, number);
      Run next = row;
      for (RunChange change : changes) {
        if (RunTransitions.apply(next, change)
            instanceof RunTransitions.Verdict.Changed(Run changed)) {
          next = changed;
        }
      }
      if (!next.equals(row)) {
        tx.put(next);
      }
      newAttempt.ifPresent(tx::put);
      newlyHeard.ifPresent(tx::heard);
      turns.forEach(tx::put);
      steers.forEach(tx::put);
      asks.forEach(tx::put);
      told.forEach(event -> tx.append(row.id(), now, event));
      return next;
    };
  }

  /** The run as the ledger has it, if it is still this attempt's and this host's. */
  private Run requireOwned(Transaction tx, int number) {
    Run row =
        tx.run(run.id(), run.spec()).orElseThrow(() -> new FencedException("the run is gone"));
    boolean sameHost = row.lease().map(Lease::host).filter(host::equals).isPresent();
    if (row.state() != RunState.RUNNING || row.attempt() != number || !sameHost) {
      throw new FencedException(
          "run " + row.id() + " is " + row.state().wire() + " in attempt " + row.attempt());
    }
    return row;
  }
}
