package dev.midcourse.engine.attempt;

import dev.midcourse.core.Transition;
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
 * The unit of work of one attempt: a copy of the run in memory, and the changes that are not
 * committed yet. A supervisor changes its run only through it. A commit writes all pending changes
 * in one transaction, which fails with a {@link FencedException} when another attempt or host owns
 * the run.
 */
public final class AttemptUnitOfWork {
  private final Ledger ledger;
  private final InstantSource clock;
  private final HostName host;

  private Run run;
  private Attempt attempt;
  private Optional<TurnRecord> turn;
  private final TreeMap<Long, Steer> open = new TreeMap<>();

  /** Every steer up to this number is tracked here, or has ended before. */
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

  public AttemptUnitOfWork(
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

  public Run run() {
    return run;
  }

  public Attempt attempt() {
    return attempt;
  }

  public Optional<TurnRecord> turn() {
    return turn;
  }

  public List<Steer> openSteers() {
    return List.copyOf(open.values());
  }

  /** The steers that the agent was given and has not shown in the conversation yet. */
  public List<Steer> inTransit() {
    return open.values().stream().filter(Steer::inTransit).toList();
  }

  public Optional<Steer> steer(SteerId id) {
    return Optional.ofNullable(seqs.get(id)).map(open::get);
  }

  public Instant now() {
    return clock.instant();
  }

  public int attemptNumber() {
    return attempt.number();
  }

  /**
   * Adds a steer that this hub has stored. Requests store steers at the same time, so their
   * messages may come out of order. A steer that is known is ignored. Before a steer that has
   * overtaken others is added, the others are read from the ledger.
   */
  public void add(Steer steer) {
    if (steer.seq() == newestSeq + 1) {
      track(steer);
    } else if (steer.seq() > newestSeq) {
      addNewSteers();
    }
  }

  /** Adds a steer that another host may have stored. */
  public void addIfUnknown(SteerId steer) {
    if (!seqs.containsKey(steer)) {
      addNewSteers();
    }
  }

  private void addNewSteers() {
    ledger.read(reading -> reading.openSteersAfter(run.id(), newestSeq)).forEach(this::track);
  }

  /** The newest steer that was to replace this one, also when it has ended. */
  public Optional<Steer> replacementOf(Steer older) {
    return ledger.read(reading -> reading.steers(run.id())).stream()
        .filter(steer -> steer.replaces(older, run.spec().pending()))
        .max(Comparator.comparingLong(Steer::seq));
  }

  /** Whether the ledger has a stop for this attempt, from any host. */
  public boolean isStopRequested() {
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

  public void append(RunEvent event) {
    events.add(event);
  }

  /** Changes the run. A change that the rules call stale has no effect. */
  public void change(RunChange change) {
    if (RunTransitions.apply(run, change) instanceof Transition.Changed(Run next)) {
      run = next;
      runChanges.add(change);
    }
  }

  /** Opens the next turn, which ends an idle time. Returns the number of the turn. */
  public int openTurn(Instant now) {
    if (run.idle().isPresent()) {
      append(new RunEvent.IdleOver(attempt.number()));
    }
    change(new RunChange.TurnOpened(attempt.number(), now));
    return run.turn();
  }

  public void change(Attempt next) {
    attempt = next;
    changedAttempt = Optional.of(next);
  }

  /**
   * Moves the checkpoint of the output. It is committed together with the changes that the output
   * caused.
   */
  public void advanceOutput(long offset, String memo) {
    attempt = attempt.withOutput(offset, memo);
    advancedAttempt = Optional.of(attempt);
  }

  /** A caller waits for the pending changes: the next commit is not lazy. */
  public void markAwaited() {
    awaited = true;
  }

  boolean isAwaited() {
    return awaited;
  }

  public void change(TurnRecord next) {
    turn = Optional.of(next);
    changedTurns.put(next.number(), next);
  }

  public void change(Ask ask) {
    changedAsks.add(ask);
  }

  /** Changes a steer, and returns what the rules made of the change. */
  public Transition<Steer> change(Steer steer, SteerChange change) {
    Steer before = open.get(steer.seq());
    if (before == null) {
      return new Transition.Stale<>("the steer has ended");
    }
    Transition<Steer> outcome = SteerTransitions.apply(before, change);
    if (outcome instanceof Transition.Changed(Steer after) && !after.equals(before)) {
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

  /** Commits the pending changes. The future completes when they are durable. */
  CompletableFuture<Run> commitAsync() {
    return ledger.writeAsync(Priority.NORMAL, drain());
  }

  /** Like {@link #commitAsync}, with the lowest priority. */
  CompletableFuture<Run> commitLazily() {
    return ledger.writeAsync(Priority.LAZY, drain());
  }

  /** Commits the pending changes, and waits until they are durable. */
  public void commit() {
    if (!isClean()) {
      ledger.write(drain());
    }
  }

  /**
   * Ends the run and commits the pending changes in one transaction. When a steer keeps the run
   * open, adds the steers that came in the meantime and returns false.
   */
  public boolean finish(Finish finish) {
    Ledger.TransactionBody<Run> work = drain();
    Optional<List<Steer>> news =
        ledger.write(tx -> {
          Run row = work.in(tx);
          return finish.in(tx, row);
        });
    news.ifPresent(steers -> steers.forEach(this::add));
    return news.isEmpty();
  }

  /**
   * Records that no process of the attempt is alive. Does so also when another attempt or host owns
   * the run.
   */
  public void closeAttempt(String reason) {
    Attempt closed = attempt.ended(now(), reason);
    attempt = closed;
    ledger.write(tx -> {
      tx.put(closed);
      return closed;
    });
  }

  /**
   * Part of the transaction that ends a run. Returns empty when the run has ended, else the steers
   * that keep it open.
   */
  public interface Finish {
    Optional<List<Steer>> in(Transaction tx, Run row);
  }

  private Ledger.TransactionBody<Run> drain() {
    List<RunChange> changes = List.copyOf(runChanges);
    List<Steer> steers = List.copyOf(changedSteers.values());
    List<Ask> asks = List.copyOf(changedAsks);
    List<RunEvent> appended = List.copyOf(events);
    Optional<Attempt> newAttempt = changedAttempt;
    Optional<Attempt> advanced = advancedAttempt;
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
        if (RunTransitions.apply(next, change) instanceof Transition.Changed(Run changed)) {
          next = changed;
        }
      }
      if (!next.equals(row)) {
        tx.put(next);
      }
      newAttempt.ifPresent(tx::put);
      advanced.ifPresent(tx::storeOutput);
      turns.forEach(tx::put);
      steers.forEach(tx::put);
      asks.forEach(tx::put);
      appended.forEach(event -> tx.append(row.id(), now, event));
      return next;
    };
  }

  /** The run as the ledger has it. Throws when another attempt or host owns it. */
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

  /**
   * Thrown by a commit when the supervisor does not own the run any more: the run has ended, or
   * another attempt or host owns it.
   */
  public static final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FencedException(String why) {
      super(why);
    }
  }
}
