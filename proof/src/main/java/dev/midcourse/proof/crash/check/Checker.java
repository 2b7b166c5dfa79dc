package dev.midcourse.proof.crash.check;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides the fate of every sent steer from the answers of the hubs, the ledger and the agents' own
 * records. It shares no code with the engine except the ledger's records.
 */
public final class Checker {
  private final DrillRecord account;
  private final List<RunEvidence> left;
  private final Set<String> replaced = new HashSet<>();
  private final Map<String, SentSteer> sent = new HashMap<>();
  private final Map<String, Long> ends = new TreeMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> outOfOrder = new ArrayList<>();
  private final List<String> falseReceipts = new ArrayList<>();
  private final List<String> strays = new ArrayList<>();
  private int writtenAgain;

  private Checker(DrillRecord account, List<RunEvidence> left) {
    this.account = account;
    this.left = left;
    account.stored().forEach(this::know);
    account.refused().keySet().forEach(this::know);
  }

  private void know(SentSteer steer) {
    sent.put(steer.key(), steer);
    steer.replaces().ifPresent(replaced::add);
  }

  public static CheckResult check(DrillRecord account, List<RunEvidence> left) {
    return new Checker(account, left).verdict();
  }

  private CheckResult verdict() {
    for (RunEvidence run : left) {
      state(run);
      List<Framed> taken = run.taken();
      run.steers().forEach(steer -> judge(run, steer, taken));
      strays(run, taken);
      order(run, taken);
      run.sessions().forEach(session -> written(run, session));
    }
    checkKeys();
    Map<String, Steer> kept = new HashMap<>();
    left.forEach(run -> run.steers().forEach(steer -> kept.put(steer.id().value(), steer)));
    account
        .stored()
        .forEach(steer -> acknowledged(steer, Optional.ofNullable(kept.get(steer.id()))));
    account.refused().forEach((steer, code) -> refused(steer, code, kept));
    return new CheckResult(ends, writtenAgain, lost, doubled, outOfOrder, falseReceipts, strays);
  }

  /**
   * Checks the state of the run: a run whose stop was stored is stopped, unless it ended by itself
   * first.
   */
  private void state(RunEvidence run) {
    if (run.state().live()) {
      lost.add(run.run() + " has not ended");
    }
    boolean stopped = run.state() == RunState.STOPPED;
    if (account.stopping().contains(run.run()) && !stopped && !run.hasFinished()) {
      falseReceipts.add(run.run() + " was to be stopped and is " + run.state().wire());
    }
    if (stopped && !account.stops().contains(run.run())) {
      falseReceipts.add(run.run() + " is stopped, and nobody asked for it");
    }
  }

  private void judge(RunEvidence run, Steer steer, List<Framed> taken) {
    String name = name(steer);
    List<Framed> its = taken.stream().filter(one -> one.steer().equals(steer.id())).toList();
    if (its.size() > 1) {
      doubled.add(name + ", " + its.size() + " times");
    }
    its.stream()
        .filter(one -> !one.text().equals(steer.text().value()))
        .forEach(one ->
            falseReceipts.add(name + " is \"" + steer.text().value() + "\", the agent had " + one));
    if (steer.reached(Rung.INJECTED) && its.isEmpty()) {
      falseReceipts.add(name + " claims injected, the agent never had it");
    }
    Optional<SteerEnd> ended = steer.ended().map(e -> e.how());
    ends.merge(ended.map(SteerEnd::wire).orElse("open"), 1L, Long::sum);
    if (ended.isEmpty()) {
      lost.add(name + " is still open at " + steer.rung().wire());
    } else {
      end(run, steer, ended.get(), !its.isEmpty());
    }
    if (account.withdrawn().contains(steer.id().value())
        && !ended.equals(Optional.of(SteerEnd.WITHDRAWN))) {
      falseReceipts.add(
          name + " was called withdrawn and " + ended.map(SteerEnd::wire).orElse("is open"));
    }
  }

  private void end(RunEvidence run, Steer steer, SteerEnd end, boolean had) {
    String id = steer.id().value();
    boolean legal =
        switch (end) {
          case ANSWERED, CARRIED -> had;
          case WITHDRAWN -> account.withdrawals().contains(id);
          case SUPERSEDED -> replaced.contains(id) || wasReplacedByNewer(run, steer);
          case EXPIRED -> account.stops().contains(run.run());
          case UNKNOWN -> run.agent().takesAgain();
          case REFUSED -> false;
        };
    boolean saysItWasNotHad =
        switch (end) {
          case WITHDRAWN, SUPERSEDED, EXPIRED, REFUSED -> true;
          case ANSWERED, CARRIED, UNKNOWN -> false;
        };
    if (!legal) {
      lost.add(name(steer) + " ended " + end.wire() + ": " + steer.ended().orElseThrow().reason());
    }
    if (saysItWasNotHad && had) {
      falseReceipts.add(name(steer) + " ended " + end.wire() + ", but the agent had it");
    }
  }

  private static boolean wasReplacedByNewer(RunEvidence run, Steer steer) {
    return run.policy() == PendingPolicy.LATEST
        && steer.mode() == SteerMode.STEER
        && run.steers().stream()
            .anyMatch(s -> s.mode() == SteerMode.STEER && s.seq() > steer.seq());
  }

  /** Checks that the agents and the ledger have only steers that were sent. */
  private void strays(RunEvidence run, List<Framed> taken) {
    Set<SteerId> known = run.steers().stream().map(Steer::id).collect(Collectors.toSet());
    taken.stream()
        .filter(one -> !known.contains(one.steer()))
        .forEach(one -> strays.add(run.run() + " had " + one + ", which the ledger does not have"));
    run.steers().stream()
        .filter(steer -> !sent.containsKey(key(steer)))
        .forEach(steer -> strays.add(name(steer) + " was never sent"));
  }

  private void order(RunEvidence run, List<Framed> taken) {
    List<Long> order =
        taken.stream()
            .flatMap(one -> run.steers().stream().filter(s -> s.id().equals(one.steer())))
            .filter(s -> s.mode() == SteerMode.STEER)
            .map(Steer::seq)
            .toList();
    if (!order.equals(order.stream().sorted().toList())) {
      outOfOrder.add(run.run() + " took " + order);
    }
  }

  /**
   * Checks writes to the agent. A steer may be written twice only to an agent that ignores
   * repetitions.
   */
  private void written(RunEvidence run, List<RehearsalEvent> session) {
    List<String> again = Repetitions.in(session);
    writtenAgain += again.size();
    if (run.agent().takesAgain()) {
      again.forEach(what -> doubled.add(what + " was written again to the agent of " + run.run()));
    }
  }

  /**
   * Checks that each remark is one steer in the ledger and reached an agent as one steer, whatever
   * ids it had.
   */
  private void checkKeys() {
    Map<String, Set<String>> kept = new TreeMap<>();
    Map<String, Set<String>> taken = new TreeMap<>();
    for (RunEvidence run : left) {
      run.steers().forEach(steer -> ids(kept, steer.text().value()).add(steer.id().value()));
      run.taken().forEach(one -> ids(taken, one.text()).add(one.steer().value()));
    }
    kept.forEach((remark, ids) -> {
      if (ids.size() > 1) {
        doubled.add("\"" + remark + "\" is in the ledger as " + ids);
      }
    });
    taken.forEach((remark, ids) -> {
      if (ids.size() > 1) {
        doubled.add("\"" + remark + "\" was taken in as " + ids);
      }
    });
  }

  private static Set<String> ids(Map<String, Set<String>> byRemark, String text) {
    return byRemark.computeIfAbsent(SentSteer.remark(text), _ -> new TreeSet<>());
  }

  /** Checks that an acknowledged steer is in the ledger with the sent text or the edited text. */
  private void acknowledged(SentSteer steer, Optional<Steer> kept) {
    String name = steer.key() + " of " + steer.run();
    if (kept.isEmpty()) {
      lost.add(name + " is not in the ledger");
      return;
    }
    Steer is = kept.get();
    Optional<String> edit = Optional.ofNullable(account.edits().get(steer.id()));
    boolean mustBeEdited = account.edited().contains(steer.id());
    String text = is.text().value();
    boolean itsText =
        edit.filter(text::equals).isPresent() || (!mustBeEdited && text.equals(steer.text()));
    if (!key(is).equals(steer.key())
        || !is.run().value().equals(steer.run())
        || !is.mode().wire().equals(steer.mode())
        || !itsText) {
      falseReceipts.add(name + " was answered with the receipt of another: " + is);
    }
  }

  /** Checks that a refused steer is not in the ledger, and that the reason is legal. */
  private void refused(SentSteer steer, String code, Map<String, Steer> kept) {
    String name = steer.key() + " of " + steer.run();
    boolean legal =
        code.equals("run_ended") || (code.equals("too_late") && steer.replaces().isPresent());
    if (!legal) {
      falseReceipts.add(name + " was refused with " + code);
    }
    kept.values().stream()
        .filter(is -> key(is).equals(steer.key()))
        .forEach(is ->
            falseReceipts.add(
                name + " was refused with " + code + ", and is in the ledger: " + is));
  }

  private static String key(Steer steer) {
    return steer.key().map(Object::toString).orElse("?");
  }

  private static String name(Steer steer) {
    return key(steer) + " of " + steer.run();
  }
}
